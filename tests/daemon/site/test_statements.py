"""Bringing statements in by a browser: questions, a look at what would come, the import, undo."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.daemon.surfaces.site import visit
from finplan.daemon.surfaces.site.visit import HeldFiles
from finplan.model.errors import NotFound
from finplan.operation import UploadedFile
from tests.daemon.site.browsing import Page, Visitor, page_in

MAY = "Date,Description,Amount\n2026-01-05,ACME PAYROLL,2500.00\n2026-01-12,CORNER SHOP,-31.20\n"
JUNE = "Date,Description,Amount\n2026-02-05,ACME PAYROLL,2500.00\n2026-02-12,BOOKS,-12.00\n"
UNSHOWN = "Date,Description,Amount\n13/01/2026,CORNER SHOP,31.20\n14/01/2026,BAKERY,7.00\n"

Sent = dict[str, str]


async def send(visitor: Visitor, files: Sent, **form: Any) -> httpx.Response:
    """Choose files on the page, and send them."""
    drawn = (await visitor.page("/statements")).forms
    token = next(each for each in drawn if "file" in each)["form_token"]
    ours = {"Sec-Fetch-Site": "same-origin", "Origin": visitor.daemon.base_url}
    parts = [("file", (name, text.encode(), "text/csv")) for name, text in files.items()]
    data = {"form_token": token[0], **form}
    return await visitor.http.post("/statements/files", data=data, files=parts, headers=ours)


def step(answer: httpx.Response) -> dict[str, list[str]]:
    """The form that leads on."""
    (found,) = (
        form for form in Page(answer.text).forms if form.get("do") in (["look"], ["import"])
    )
    return found


def choices(answer: httpx.Response) -> dict[str, list[str]]:
    """What may be chosen in each field of the questions."""
    found: dict[str, list[str]] = {}
    for each in Page(answer.text).all("input"):
        if each.get("type") == "radio":
            found.setdefault(each["name"], []).append(each["value"])
    return found


async def go_on(visitor: Visitor, answer: httpx.Response, **chosen: str) -> httpx.Response:
    form = {name: values[0] for name, values in step(answer).items() if "chosen-" not in name}
    return await visitor.post("/statements", {**form, **chosen})


async def looked_at(visitor: Visitor, files: Sent) -> httpx.Response:
    """The page of what files would bring, once every question has had its first answer."""
    answer = await send(visitor, files)
    while choices(answer):
        answer = await go_on(visitor, answer, **{k: v[0] for k, v in choices(answer).items()})
        assert answer.status_code == 200, answer.text
    return answer


async def test_who_joined_adds_and_takes_back_statements(owner: Visitor, guest: Visitor) -> None:
    """They see what would come before anything is stored; it is theirs alone, and undone as a whole."""
    answer = await looked_at(guest, {"may.csv": MAY})
    shown = Page(answer.text).said

    assert "Preview your import" in shown
    assert "2 transactions: 2 new · money in $2,500.00 · money out $31.20" in shown
    assert (await imports(guest), await imports(owner)) == ([], [])
    done = await guest.post("/statements", step(answer))
    assert (done.status_code, done.headers["location"]) == (303, "/statements?done=imported")
    page = await guest.page("/statements?done=imported")
    assert "Your plan includes" in page.said
    assert "may.csv" in page.said
    assert "2 transactions" in page.said
    assert [each["undoneAt"] for each in await imports(guest)] == [None]
    assert await imports(owner) == []

    (undo,) = (form for form in page.forms if form.get("do") == ["undo"])
    taken = await guest.post("/statements", undo)
    assert taken.headers["location"] == "/statements?done=undone"
    assert "undone" in (await guest.page("/statements")).said
    again = await guest.post("/statements", undo)
    assert "is already undone" in page_in(again, 409).said


async def imports(visitor: Visitor) -> list[dict[str, Any]]:
    """The imports of who is signed in."""
    found = await visitor.get("/api/v1/imports", Accept="application/json")
    assert found.status_code == 200, found.text
    return list(found.json())


async def test_what_files_leave_open_is_asked_until_it_is_told(owner: Visitor) -> None:
    """No answer is assumed, and one that is none is asked once more, beside those that were given."""
    asked = await send(owner, {"unshown.csv": UNSHOWN})
    first = choices(asked)
    assert "Questions about your files" in Page(asked.text).said
    assert first
    assert choices(await go_on(owner, asked)) == first
    place = next(name for name, values in first.items() if "EUR" in values).partition("-")[2]
    refused = await go_on(owner, asked, **{f"typed-{place}": "doubloons"})
    assert choices(refused) == first
    assert refused.status_code == 400
    assert 'role="alert"' in refused.text

    answer, rounds = asked, 0
    while choices(answer):
        answer = await go_on(owner, answer, **{k: v[0] for k, v in choices(answer).items()})
        rounds += 1
    assert rounds > 1
    assert "Preview your import" in Page(answer.text).said
    await owner.post("/statements", step(answer))
    assert len(await imports(owner)) == 1


async def test_one_answer_may_be_for_all_files_that_ask_it(owner: Visitor) -> None:
    """A year of months is not asked about month by month, unless one of them is told apart."""
    files = {f"{no}.csv": UNSHOWN.replace("/01/", f"/0{no}/") for no in range(1, 5)}
    asked = await send(owner, files)
    ways = [place for place, values in choices(asked).items() if values == ["out", "in"]]
    assert (len(ways), ways[0]) == (4, "chosen-0")
    chosen = {"chosen-0": "out", "alike-0": "yes", ways[2]: "in"}
    told = await go_on(owner, asked, **chosen)
    assert ["out", "in"] not in choices(told).values()
    said = {each["file"]: each["value"] for each in json.loads(step(told)["answers"][0])}
    assert said == {0: "out", 1: "out", 2: "in", 3: "out"}


async def test_what_changed_meanwhile_is_looked_at_again(owner: Visitor) -> None:
    """A page that is no longer true imports nothing, and shows what would come now."""
    sent = {**step(await looked_at(owner, {"may.csv": MAY})), "digest": "another"}
    refused = await owner.post("/statements", sent)
    assert "Preview your import" in page_in(refused, 409).said
    assert await imports(owner) == []
    assert (await owner.post("/statements", step(refused))).status_code == 303
    assert len(await imports(owner)) == 1


async def test_files_go_with_the_page_that_asks_about_them(owner: Visitor) -> None:
    """They are deleted when they are imported, left, replaced, or cannot be read."""
    uploads = owner.daemon.uploads

    def waiting() -> list[bytes]:
        return [each.read_bytes() for each in uploads.rglob("*") if each.is_file()]

    answer = await looked_at(owner, {"may.csv": MAY})
    assert waiting() == [MAY.encode()]
    answer = await looked_at(owner, {"june.csv": JUNE})
    assert waiting() == [JUNE.encode()]
    stale = step(answer)
    left = await owner.post("/statements", {"form_token": stale["form_token"], "do": "drop"})
    assert left.headers["location"] == "/statements?done=dropped"
    assert waiting() == []
    gone = await owner.post("/statements", stale)
    assert "finplan no longer has these files" in page_in(gone, 404).said
    unread = await send(owner, {"nothing.ofx": "<OFX>"})
    assert unread.status_code == 400
    assert 'role="alert"' in unread.text
    assert waiting() == []
    await owner.post("/statements", step(await looked_at(owner, {"june.csv": JUNE})))
    assert waiting() == []


async def test_nobody_goes_on_with_the_files_of_another(owner: Visitor, guest: Visitor) -> None:
    """What a form names is looked for among one's own files alone."""
    theirs = step(await looked_at(guest, {"may.csv": MAY}))
    own = step(await looked_at(owner, {"june.csv": JUNE}))
    answer = await owner.post("/statements", {**theirs, "form_token": own["form_token"]})
    assert answer.status_code == 404
    assert (await imports(owner), await imports(guest)) == ([], [])


@pytest.mark.parametrize("token", ["", "foreign"])
async def test_files_are_taken_from_the_pages_of_a_session_alone(
    owner: Visitor, guest: Visitor, visitor: Visitor, token: str
) -> None:
    """No other site, session or stranger leaves a file here."""
    foreign = (await guest.page("/statements")).forms[0]["form_token"][0]
    refused = await send(owner, {"may.csv": MAY}, form_token=foreign if token else "")
    assert refused.status_code == 403
    part = {"file": ("may.csv", MAY.encode())}
    for who in (owner, visitor):
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {}):
            answer = await who.http.post("/statements/files", files=part, headers=headers)
            assert answer.status_code == 403
    ours = {"Sec-Fetch-Site": "same-origin"}
    stranger = await visitor.http.post("/statements/files", files=part, headers=ours)
    assert stranger.headers["location"].startswith("/sign-in?return_to=%2Fstatements")
    assert (await owner.get("/statements/files")).headers["location"] == "/statements"
    assert [each for each in owner.daemon.uploads.rglob("*") if each.is_file()] == []


async def test_choosing_nothing_is_said(owner: Visitor) -> None:
    """A browser sends an empty part then, which is no statement."""
    token = (await owner.page("/statements")).forms[0]["form_token"][0]
    part = "--x\r\nContent-Disposition: form-data; name="
    body = f'{part}"form_token"\r\n\r\n{token}\r\n{part}"file"; filename=""\r\n\r\n\r\n--x--\r\n'
    ours = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = await owner.http.post("/statements/files", content=body, headers=ours | kind)
    assert "Choose one or more files first." in page_in(answer, 400).said


async def test_a_form_that_is_sent_twice_imports_once(owner: Visitor) -> None:
    """Who clicks twice is led to what was imported, or told where to look."""
    form = step(await looked_at(owner, {"may.csv": MAY}))
    answers = await asyncio.gather(*(owner.post("/statements", form) for _ in range(3)))
    assert sorted(each.status_code for each in answers) == [303, 404, 404]
    assert len(await imports(owner)) == 1


async def test_files_of_who_leaves_go_along(guest: Visitor) -> None:
    """Whoever is told that everything of theirs is deleted relies on it."""
    await looked_at(guest, {"may.csv": MAY})
    await guest.act("/settings/account", "delete-me", typed_email="grace@example.org")
    assert [each for each in guest.daemon.uploads.rglob("*") if each.is_file()] == []


def names(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def test_files_wait_for_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who goes away leaves none of their bank's data behind."""
    assert visit.FILES_HELD_FOR == 3600
    monkeypatch.setattr(visit, "FILES_HELD_FOR", 0)
    held = HeldFiles(tmp_path)
    sent = tmp_path / "sent"
    sent.write_text(MAY)
    batch = await held.keep(1, [UploadedFile("may.csv", sent)])
    assert held.find(1, batch.token).files[0].path.read_text() == MAY
    for _ in range(2):
        await asyncio.sleep(0)
    assert names(tmp_path) == []
    with pytest.raises(NotFound):
        held.find(1, batch.token)


async def test_nothing_waits_in_a_daemon_that_stops(tmp_path: Path) -> None:
    """Nor of a person who has left."""
    held = HeldFiles(tmp_path)
    for owner in (1, 2):
        sent = tmp_path / "sent"
        sent.write_text(MAY)
        await held.keep(owner, [UploadedFile("may.csv", sent)])
    await held.forget(1)
    assert len(names(tmp_path)) == 1
    await held.forget_all()
    assert names(tmp_path) == []
