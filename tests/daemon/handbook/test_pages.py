"""The pages of the handbook over a real socket."""

import re

from finplan.handbook.library import handbook
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon


async def test_every_page_is_listed_and_sent(notes: RunningDaemon) -> None:
    """The list names each page with a line about it, and each is sent as it was written, to anybody."""
    async with stranger(notes) as http:
        listed = await http.get("/llms.txt", headers={"Origin": "https://chat.example"})
        assert listed.headers["content-type"] == "text/plain; charset=utf-8"
        assert listed.headers["access-control-allow-origin"] == "*"
        assert listed.text.startswith("# finplan\n\n> ")
        people, builders = listed.text.split("\n## Optional\n")
        assert "/decisions.md" in builders
        assert "/proxy.md" in people
        lines = re.findall(r"^- \[(.+)\]\((.+)\)(: .+)?$", listed.text, re.MULTILINE)
        assert {title for title, *_ in lines} == {page.title for page in handbook().values()}
        for title, url, _ in lines:
            page = await http.get(url)
            assert page.headers["content-type"] == "text/markdown; charset=utf-8"
            assert page.text.startswith(f"# {title}\n")


async def test_an_unknown_page_is_told(notes: RunningDaemon) -> None:
    """A page that there is not is not found, with a sentence that says where to look."""
    async with stranger(notes) as http:
        for path in ("/api/docs/nothing.md", "/api/docs/__init__.md"):
            answer = await http.get(path)
            assert answer.status_code == 404
            assert "/llms.txt" in answer.json()["message"]
        for path in ("/api/docs/..%2F..%2FREADME.md", "/api/docs/a/b.md"):
            assert (await http.get(path)).status_code == 404
