"""The daemon as a process: one per profile, found by its file, stopped by a signal."""

import asyncio
import logging
import os
import resource
import shutil
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn

from aiohttp import web

from finplan import __version__
from finplan.banks.base import Manual
from finplan.banks.demo.bank import Demo
from finplan.categorise.curated import clear_caches
from finplan.client import announcement
from finplan.client.failures import describe_refusal
from finplan.daemon import startup
from finplan.daemon.aggregators import BankKeys, aggregators, keys_of_banks
from finplan.daemon.app import SCHEDULE, Parts, make_app
from finplan.daemon.auth.client_address import AddressOf, client_addresses
from finplan.daemon.auth.google import GoogleSignIn
from finplan.daemon.auth.sessions import LocalSession, new_token
from finplan.daemon.background import delivering, must_be_certificates
from finplan.daemon.logs import logging_to_file
from finplan.daemon.memory import rest_when_idle, share_one_arena, spare_the_collector
from finplan.daemon.notifying import tell_of_damage, teller
from finplan.daemon.port import PortTaken, bind, holding_ipv6
from finplan.daemon.rate_limit import Limiting
from finplan.daemon.server import serve
from finplan.daemon.surfaces.rest.routes import build_shapes
from finplan.daemon.workers import Workers
from finplan.data_key import HeldKeys, key_at_start
from finplan.model.characters import visible_lines
from finplan.model.errors import Fault, StoreDamaged, StoreLost
from finplan.operations.table import OPERATIONS
from finplan.secret_files import google_client_secret
from finplan.service.context import Caller, Context
from finplan.service.people import ensure_owner, local_user_name
from finplan.service.strange_rows import strange_rows_of
from finplan.setting_values import DEMO_PROFILE, SettingsError
from finplan.settings import GOOGLE_CLIENT_VARIABLE, Places, Settings, marks_of_file
from finplan.store.migrate import upgrade_elsewhere
from finplan.store.sealing import FollowingSealer, Sealer
from finplan.store.store import Store
from finplan.store.store_file import unreadable
from finplan.webhooks.sending import Vetting
from finplan.webhooks.targets import PrivateTargets

REQUEST_GRACE = 5.0
"""How long running requests may take to finish when the daemon stops, in seconds; and again as long
to clean up after themselves when they have not."""

STOP_GRACE = 15.0
"""When a process that was told to stop ends in any case, in seconds; nothing saved is lost."""

SWITCH_INTERVAL = 0.0005
"""How long a thread that builds a plan or reads a file may keep a request waiting, in seconds."""

CANNOT_START = 3
STUMBLED = 1

log = logging.getLogger(__name__)


def run(settings: Settings, foreground: bool, lock: int | None = None) -> int:
    """Serve one profile until told to stop, and answer the exit code.

    `lock` is the descriptor of the profile's lock, where whoever starts the daemon hands it over.
    """
    # A core dump would hold the household's data and the data key; workers inherit that there is none.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Whatever the daemon writes is the person's alone.
    os.umask(0o077)
    share_one_arena()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        _make_private(settings.places)
        with announcement.hold(settings.places.daemon_lock, handed=lock) as hold:
            with logging_to_file(settings, foreground):
                refused = _run_alone(settings, hold)
            # Only now is the log written to its end: whoever started the daemon reads its last words.
            return 0 if refused is None else _refuse(refused.sentence, refused.code)
    except announcement.LockHeld as holder:
        who = f"process {holder.pid}" if holder.pid else "another process"
        return _refuse(
            f"The background service is already running for the profile {settings.profile!r}"
            f" ({who}).",
            announcement.ALREADY_RUNNING,
        )
    except OSError as error:
        why = describe_refusal(error, settings.places.data)
        return _refuse(f"The background service cannot start: {why}.", CANNOT_START)


class NoService(NamedTuple):
    """Why a daemon does not serve, for whoever started it, and its exit code."""

    sentence: str
    code: int


def _run_alone(settings: Settings, hold: announcement.Hold) -> NoService | None:
    try:
        google, keys = _google(settings), keys_of_banks(settings)
        must_be_certificates(settings.webhook_ca)
        hold.tell("opening the store")
        startup.must_have_room_for_a_store(settings.places.database)
        if startup.give_up_reserve_if_needed(settings.places.reserve):
            log.warning("The disk is full. You can read your data, but not change it.")
        _clear(settings.places)
        bound = bind(settings)
        workers = Workers(settings.places.database)
        store = Store.open(
            settings.places.database,
            settings.places.backups,
            workers,
            data_key=settings.places.data_key,
            upgrade=upgrade_elsewhere,
            find_strange=strange_rows_of,
        )
        hold.tell("preparing the store")
        with holding_ipv6(bound.getsockname()[1]) as is_held:
            if not is_held:
                log.warning(
                    "Another program uses this port on [::1], so finplan cannot give browsers a "
                    "private host. Any program on this machine can read their sessions. Stop that "
                    "program, then run"
                    " `finplan daemon stop`."
                )
            private_hosts = is_held and settings.site_url is None
            asyncio.run(_serve(settings, bound, store, workers, hold, google, keys, private_hosts))
        if store.file.lost is not None:
            _end_without_closing()
    except (PortTaken, SettingsError) as error:
        return NoService(str(error), CANNOT_START)
    except StoreDamaged as damage:
        # What goes on to be read elsewhere cannot be here, where its owner is unknown.
        reason = unreadable(settings.places.database) if damage.is_notice else damage.message
        return NoService(reason, CANNOT_START)
    except Fault as fault:
        return NoService(fault.message, CANNOT_START)
    except OSError:
        raise
    except Exception as error:
        log.exception("The background service failed.")
        return NoService(_why_it_stumbled(error, settings.places), STUMBLED)
    finally:
        announcement.give_room_back(settings.places.daemon_file)
    return None


async def _serve(
    settings: Settings,
    bound: socket.socket,
    store: Store,
    workers: Workers,
    hold: announcement.Hold,
    google: GoogleSignIn | None,
    keys: BankKeys,
    private_hosts: bool,
) -> None:
    told_to_stop = asyncio.Event()
    now = int(time.time() * 1000)
    port = bound.getsockname()[1]
    site_url = settings.site_url or f"http://127.0.0.1:{port}"
    loop = asyncio.get_running_loop()
    workers.attend(loop)

    def say_and_stop(lost: StoreLost) -> None:
        log.error("%s", lost.message)
        loop.call_soon_threadsafe(told_to_stop.set)

    store.file.when_lost = say_and_stop
    tell = teller(settings.notify_command)
    sealer = _sealer(settings.places.data_key)
    making_up = await startup.put_in_order(store, now, settings.places.data_key)
    session = LocalSession(await _prepare_owner(settings, store, now, hold), new_token())
    address_of = client_addresses(settings.proxies)
    vetting = Vetting(
        PrivateTargets.of(settings.private_targets), listener=settings.places.listener
    )

    def announce() -> None:
        announcement.write_announcement(
            settings.places.daemon_file,
            announcement.Announcement(
                *(os.getpid(), port, __version__, site_url, session.token, now),
                marks_of_file(settings),
            ),
        )

    app = make_app(
        Parts(
            store=store,
            banks={"demo": Demo(), "manual": Manual()},
            aggregators=aggregators(vetting, keys, workers),
            session=session,
            port=port,
            site_url=site_url,
            uploads=settings.places.uploads,
            upload_limit=settings.upload_limit,
            limiting=_limiting(settings, site_url, address_of),
            address_of=address_of,
            registration=settings.registration,
            google=google,
            sealer=sealer,
            vetting=vetting,
            announce=announce,
            tell=tell,
            data_key=settings.places.data_key,
            private_hosts=private_hosts,
        )
    )
    answered = asyncio.Event()

    async def note_answer(_request: web.Request, _response: web.StreamResponse) -> None:
        answered.set()

    app.on_response_prepare.append(note_answer)
    runner = await serve(app, bound, REQUEST_GRACE)

    # What is done by itself needs memory for a moment, too.
    app[SCHEDULE].worked = answered.set
    unasked = [
        asyncio.create_task(app[SCHEDULE].run()),
        asyncio.create_task(tell_of_damage(store.file, tell)),
        asyncio.create_task(rest_when_idle(answered, partial(_rest, store, workers))),
        *([] if making_up is None else [making_up]),
    ]
    spare_the_collector()
    # Until here a signal ends the process at once: nothing is lost, and no start outlasts its end.
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)
    try:
        announce()
        hold.tell("busy")
        log.info("finplan %s serves the profile %s at %s.", __version__, settings.profile, site_url)
        build_shapes(OPERATIONS)
        authorities = Path(settings.webhook_ca) if settings.webhook_ca else None
        async with delivering(store, sealer, vetting, site_url, authorities=authorities):
            await told_to_stop.wait()
    finally:
        hold.tell("stopping")
        _end_in_any_case(settings.places)
        for task in unasked:
            task.cancel()
        await app[SCHEDULE].stop()
        await runner.cleanup()
        await workers.rest()
        if store.file.can_be_closed:
            await asyncio.to_thread(store.close)
        settings.places.daemon_file.unlink(missing_ok=True)
        # A disk that is full, or a home that is gone, keeps nobody from stopping.
        with suppress(OSError):
            startup.take_back_reserve(settings.places.reserve)
        log.info("Stopped.")


async def _prepare_owner(
    settings: Settings, store: Store, now: int, hold: announcement.Hold
) -> int:
    """The number of the store's owner, who has the demo household in its profile."""
    owner = await ensure_owner(store, local_user_name(), now)
    if settings.profile == DEMO_PROFILE:
        hold.tell("linking the demo household")
        caller = Caller(owner, frozenset({"read", "write"}), "schedule", "schedule")
        await startup.link_demo_household(Context(caller, store, {"demo": Demo()}))
    return owner


def _google(settings: Settings) -> GoogleSignIn | None:
    """How people sign in with Google; None where no client is set. Raises SettingsError."""
    if settings.google_client_id is None:
        return None
    secret = google_client_secret(settings.places)
    if secret is None:
        raise SettingsError(
            "`google_client_id` is set, but its secret is missing. Write the secret to "
            f"{settings.places.google_client_secret} (chmod 600) or {GOOGLE_CLIENT_VARIABLE}, or"
            " remove `google_client_id`."
        )
    return GoogleSignIn(settings.google_issuer, settings.google_client_id, secret)


async def _rest(store: Store, workers: Workers) -> None:
    """Give back what only work needs."""
    clear_caches()
    await workers.rest()
    await store.rest()


def _sealer(choice: Path) -> startup.LateSealer:
    at_once = key_at_start(choice) is not None
    held_keys = HeldKeys(choice)

    def following(key: bytes) -> Sealer:
        return FollowingSealer(key, held_keys)

    return startup.LateSealer(
        held_keys.newest, following(held_keys.newest()) if at_once else None, sealing=following
    )


def _limiting(settings: Settings, site_url: str, address_of: AddressOf) -> Limiting:
    if not settings.signing_keys:
        return Limiting(settings.rate_limit, address_of=address_of)
    # Loaded only for those who use it.
    from finplan.daemon.auth.signatures import signers

    return Limiting(settings.rate_limit, signers(settings.signing_keys, site_url), address_of)


def _end_in_any_case(places: Places) -> None:
    """See to it that a thread which does not return cannot keep the process alive."""

    def end() -> None:
        places.daemon_file.unlink(missing_ok=True)
        os._exit(0)

    log.info("Stopping.")
    ending = threading.Timer(STOP_GRACE, end)
    ending.daemon = True
    ending.start()


def _end_without_closing() -> NoReturn:
    """End where another file stands in the store's place: SQLite would remove that one's log."""
    logging.shutdown()
    os._exit(STUMBLED)


def _make_private(places: Places) -> None:
    for folder in (places.data, places.log.parent):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)


def _clear(places: Places) -> None:
    """Remove what a daemon that was killed has left behind; to be called before the store is opened.

    SQLite may then take all the room that there is for what its log holds.
    """
    announcement.make_room(places.daemon_file)
    # The folder itself stays: on a full disk another one could not be made.
    places.uploads.mkdir(exist_ok=True)
    for path in places.uploads.iterdir():
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()


def _why_it_stumbled(error: Exception, places: Places) -> str:
    """What is said of a failure that nobody foresaw, in one line: of a strange row, if there is one."""
    # Loaded only where something is wrong.
    from finplan.daemon.maintenance import told_of_strange_rows

    try:
        strange = told_of_strange_rows(places)
    except Exception:
        # What cannot be looked into is not told instead of what went wrong first.
        log.exception("Could not check the rows of the store.")
        strange = None
    text = (
        f"The background service failed: {' '.join(str(error).split())}. See its log: {places.log}."
    )
    return strange or text


def _refuse(sentence: str, code: int) -> int:
    # A disk that is full may leave no room for the sentence, which whoever started the daemon then says.
    with suppress(OSError):
        sys.stderr.write(f"{visible_lines(sentence)}\n")
    return code
