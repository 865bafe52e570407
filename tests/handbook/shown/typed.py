"""What is typed for a command line of the handbook: real values, what came before, and how it ends."""

from collections.abc import Mapping

from tests.handbook.shown.machine import PASSWORD

PUT: tuple[tuple[str, str], ...] = (
    (r"^\S+/bin/finplan", "finplan"),
    (r"^make", "make -n -C {project}"),
    (r"OLD=FOLDER", "OLD=../before"),
    (r"curl", "curl -sS --fail-with-body"),
    (r"\btx_812\b|(?<=transactions set )ID|(?<=transactions split )ID", "{charge}"),
    (r"(?<='x-api-key: )KEY", "{key}"),
    (r"127\.0\.0\.1:8460", "127.0.0.1:{port}"),
    (r"webhooks rotate ID", "webhooks rotate ID --yes"),
    (r"webhooks add (?:URL|https://\S+)", "webhooks add https://127.0.0.1:1/"),
    (
        r"webhooks (test|rotate|change|deliveries|retry|remove) (?:ID|URL|127\.0\.0\.1|hooks\S+)",
        r"webhooks \1 {webhook}",
    ),
    (r"DELIVERY", "{delivery}"),
    (r"imports undo (?:ID|IMPORT)", "imports undo {import}"),
    (r"imports forget ID", "imports forget {profile}"),
    (r"sessions end (?:ID|firefox)", "sessions end {browser}"),
    (r"agents revoke ID", "agents revoke {agent}"),
    (r"rules remove ID", "rules remove {rule}"),
    (r"duplicates (\w+) ID", r"duplicates \1 {duplicate}"),
    (r"transfers (\w+) ID", r"transfers \1 {transfer}"),
    (r"recurring (\w+) ID", r"recurring \1 {series}"),
    (r"tasks answer ID", r"tasks answer {task}"),
    (r"tasks undo ID", r"tasks undo venmo"),
    (r"rules set PAYEE CATEGORY", "rules set amazon shopping"),
    (r"categories add NAME", "categories add Bicycles --line discretionary"),
    (r'add "Pet care" --suggested', 'add "{theme}" --suggested'),
    (r"finplan COMMAND", "finplan spending"),
    (r"keys create NAME", "keys create dashboard"),
    (r"accounts set NAME", "accounts set savings"),
    (r"--balance AMOUNT", "--balance 1840.25"),
    (r"plan explain SECTION", "plan explain debt"),
    (r"--profile NAME", "--profile new-home"),
    (r"mcp install AGENT", "mcp install cursor"),
    (r"jobs run NAME", "jobs run prune"),
    (r"backup restore(?: NAME)?(?! --yes)$", "backup restore --yes"),
    (r"import FILE", "import card.csv"),
    (r"--html FILE", "--html page.html"),
    (r"connections show NAME", "connections show Demo"),
    (r"connections remove (?:NAME|demo|Chase)", "connections remove Demo"),
    (r"me delete", "me delete --yes"),
    (r'"shopping 12.50"', r'"shopping {rest}"'),
)
"""What stands for something of the reader's own, as a pattern, and what is typed in its place."""

OWN_HOUSEHOLD = (
    r'(?i)"?blue bottle|costco|whole foods"|philz|netflix|bike shop|old-savings|house '
    r'|accounts set (?:card|visa)|venmo (?:"other income"|rent --amount)|duplicates \w+ ID'
    r"|Cycling --merge|imports (?:undo|forget) "
)
"""What is about a household that has what the made-up one lacks."""

EMPTY_HOUSEHOLD = r"finplan import (?!home.json)"
"""What is typed where there is no household yet."""

RESTORED_HOUSEHOLD = r"import home.json"
"""What is typed before anything else on another machine."""

OWN_PROCESS = (
    r"finplan daemon (?:stop|start|status|logs|install|uninstall)|finplan daemon$"
    r"|finplan secrets (?:move|rotate)|finplan backup"
)
"""What is about the daemon as a process, which those of the households are not."""

ONCE = OWN_PROCESS + "|finplan (?:doctor|export|plan build)"
"""What takes long and does the same wherever it is shown, so that it is typed in one place alone."""

LEAVES = r"me delete|connections remove "
"""What ends a household."""

KEYS: Mapping[str, str] = {
    r"^finplan me password": f"{PASSWORD}\n",
    r"^cat > ": "secret\n",
}
"""What is typed where a command line asks."""

BEFORE: tuple[tuple[str, str], ...] = (
    (r"keys revoke (\S+)", "finplan keys create {}"),
    (r"clients revoke (\S+)", "finplan clients create {} --redirect https://dash.example.org/back"),
    (r"invites revoke (\S+)", "finplan invites create --email {}"),
    (r"tasks undo (?:venmo|ID)", "finplan tasks answer venmo restaurants"),
    (r"recurring undo (\S+)", "finplan recurring dismiss {}"),
    (r"categories remove (\S+)", "finplan categories add {} --line discretionary"),
    (r"mcp uninstall (\S+)", "finplan mcp install {}"),
    (r"daemon un(install)", "finplan daemon {}"),
    (r"daemon (?:status|logs)|daemon$|secrets (?:move|rotate)|backup create", "finplan accounts"),
    (r"duplicates undo ID", "finplan duplicates same {duplicate}"),
    (r"transfers undo ID", "finplan transfers confirm {transfer}"),
    (r"import home.json", "finplan --profile own export home.json"),
    (r"tasks answer venmo --each|^echo ", "finplan tasks undo venmo"),
    (r"tasks answer amazon", "finplan tasks undo amazon"),
    (r"recurring confirm ID", "finplan recurring dismiss {series}"),
)
"""What has been typed by then, where the page itself has not said it before."""

NO_TERMINAL = (2, "terminal")
ENDS: tuple[tuple[str, tuple[int, str]], ...] = (
    (r"^finplan tui", NO_TERMINAL),
    (r"^finplan watch(?! --json)", NO_TERMINAL),
    (r"^finplan tasks answer$", (2, "Outside a terminal")),
    (r"^finplan webhooks (?:test|retry)", (6, "")),
    (r"^finplan daemon logs --follow", (130, "")),
    (r"^finplan secrets move keyring", (6, "keyring")),
    (r"^finplan backup (?:verify|restore) daily-", (4, "There is no backup")),
)
"""How else than with 0 a command line ends here, and what is said then."""

UNTIL_INTERRUPTED = r"^finplan (?:watch --json|daemon logs --follow)"
"""What goes on until Ctrl-C, which comes at the first pause."""

ELSEWHERE: Mapping[str, str] = {
    r"^python -m ": "takes minutes; options of benchmarks are looked at by themselves",
    r"^finplan webhooks listen": "receives until it ends: `tests/cli/test_listening.py`",
    r"^finplan connect (?:simplefin|plaid|enablebanking|BANK)": "needs a bank:"
    " `tests/cli/test_connect.py`, `test_connect_in_europe.py` and `tests/banks/` play one",
    r"^finplan connections remove Chase": "needs a bank: `tests/cli/test_relinked.py`",
    r"^mail ": "needs a mail server",
}
"""What is not run here, as a pattern, and why."""
