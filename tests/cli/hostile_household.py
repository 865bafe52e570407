"""The demo household in a store of an older version, whose every text tries to command a terminal."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Whatever commands a terminal, turns a text round or takes no room, but for the break of a line."""

EVIL = "\x1b[31m\x1b]8;;http://evil.example\x07\x9b2J\x7f\u202e\u2066\u200f\u200b\u00ad\u2028\r\t\x00\n"
"""One of each kind."""

FILE = f"bank {EVIL}.csv".replace("\x00", "").replace("/", "|").encode() + b"\xff.csv"
"""The name of a statement, with a byte that is of no text."""

_READABLE = "\u202e\u2066\u009b\u200f\u200b\u00ad"
"""As much of it as a file may hold that is text at all."""

STATEMENT = (
    "Date,Description,Memo,Amount (USD),Status\n"
    f"2026-03-04,EVIL{_READABLE}SHOP,{_READABLE} 2,-4.50,Posted\n"
    f"2026-03-05,Evil {_READABLE} cafe,x,-5.50,Posted\n"
    f"2026-03-09,Evil {_READABLE} cafe,x,-6.50,Posted\n"
    f"2026-03-09,Evil {_READABLE} cafe,x,-6.50,Pending\n"
)
"""Its last row waits to be posted, and stands there as posted, too."""

_TEXTS = (
    ("webhook", "description"),
    ("webhook", "last_error"),
    ("webhook", "disabled_why"),
    ("person", "name"),
    ("connection", "institution_name"),
    ("connection", "error"),
    ("account", "name"),
    ("account", "subtype"),
    ("account", "mask"),
    ("payee", "name"),
    ("payee", "raw"),
    ("payee", "why"),
    ("payee", "key"),
    ("tx", "raw"),
    ("tx", "external_id"),
    ("pending", "raw"),
    ("pending", "external_id"),
    ("remembered_row", "raw"),
    ("set_aside", "raw"),
    ("custom_category", "name"),
    ("api_key", "name"),
    ("oauth_client", "name"),
    ("invite", "email"),
    ("browser_session", "user_agent"),
    ("browser_session", "address"),
    ("audit_event", "text"),
    ("audit_event", "address"),
    ("csv_answer", "header"),
    ("series_verdict", "payee_key"),
    ("build", "error"),
)
"""Every column that holds what somebody wrote."""

_BODIES = (("plan", "body"), ("import_batch", "report"), ("task_answer", "body"))
"""Every column that holds such texts in JSON."""

_A_BROWSER = (
    "INSERT INTO browser_session (id, owner_no, hash, created_at, last_used_at, expires_at, user_agent,"
    " address) SELECT 'ses_k3f9x2m7q4w8r1t5v6y0z3b2', no, 'x', 0, 0, 9000000000000, 'Firefox/1', '::1'"
    " FROM person"
)
"""Somebody's browser that is signed in for long."""

_WRITTEN = re.compile(r"^(?![A-Z]{3}$)[A-Z].*|.* .*", re.DOTALL)
"""What a text in JSON looks like that is no word of the program's own."""


def make_hostile(store: Path) -> None:
    """Put something of each kind into every text of a store."""
    with sqlite3.connect(store) as database:
        database.create_function("hostile", 1, _hostile)
        database.create_function("hostile_json", 1, _hostile_json)
        database.execute(_A_BROWSER)
        for function, columns in (("hostile", _TEXTS), ("hostile_json", _BODIES)):
            for table, column in columns:
                database.execute(f"UPDATE {table} SET {column} = {function}({column})")
        database.execute("UPDATE connection SET error = hostile('It broke.'), status = 'error'")
    database.close()


def texts_of(store: Path) -> list[str]:
    """Every text that a store holds, whatever its column."""
    with sqlite3.connect(store) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = [row for (table,) in tables for row in database.execute(f"SELECT * FROM {table}")]
    database.close()
    return [value for row in rows for value in row if isinstance(value, str)]


def _hostile(text: str | None) -> str | None:
    return text and f"{text[:1]}{EVIL}{text[1:]}"


def _hostile_json(text: str | None) -> str | None:
    return text and json.dumps(_in_json(json.loads(text)), ensure_ascii=False)


def _in_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_in_json(each) for each in value]
    return _hostile(value) if isinstance(value, str) and _WRITTEN.fullmatch(value) else value
