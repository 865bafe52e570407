"""`python -m benchmarks.peers`: other programs import the same ledger, and tell each category's months.

Each is asked by a new process, as a person or a script asks it: hledger and beancount read their
journal, Actual its budget by its own API, `sqlite3` finplan's store, and finplan a daemon that has been
asked before. A journal has no import: reading it, without what beancount keeps of it, stands in its
place. Who is not installed is left out by name.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks import floors
from benchmarks.commands import FINPLAN
from benchmarks.figures import shown_time
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import Contestant, race, timed
from benchmarks.tables import in_columns, in_markdown
from benchmarks.wire import Question
from finplan.model.money import to_text

HEADINGS = ("Program", "Version", "Rows", "Import", "Beside sqlite3", "Months", "Beside sqlite3")
_NUMBERS = (2, 3, 4, 5, 6)

CATEGORISED = (
    "SELECT tx.day, tx.amount, tx.raw, CASE WHEN amount < 0 THEN category_out ELSE category_in END"
    " FROM tx JOIN payee ON payee.no = payee_no WHERE tx.owner_no = 1 AND counts = 1 ORDER BY day"
)
MONTHS_OF_CATEGORIES = (
    "SELECT CASE WHEN amount < 0 THEN category_out ELSE category_in END AS category, day / 100,"
    " -sum(amount) FROM tx JOIN payee ON payee.no = payee_no"
    " WHERE tx.owner_no = 1 AND counts = 1 GROUP BY category, day / 100"
)
ACTUAL = """
const api = require('@actual-app/api');
const [, , verb, folder, file] = process.argv;
(async () => {
  await api.init({ dataDir: folder, verbose: false });
  if (verb === 'import') {
    const { rows } = JSON.parse(require('fs').readFileSync(file, 'utf8'));
    await api.runImport('bench', async () => {
      const group = await api.createCategoryGroup({ name: 'All' });
      const ids = {};
      for (const name of new Set(rows.map(row => row.category)))
        ids[name] = await api.createCategory({ name, group_id: group });
      const account = await api.createAccount({ name: 'Checking' }, 0);
      const filed = rows.map(row => ({ ...row, account, category: ids[row.category] }));
      await api.addTransactions(account, filed);
    });
  } else {
    const [budget] = await api.getBudgets();
    await api.loadBudget(budget.id);
    const { data } = await api.aqlQuery(api.q('transactions')
      .groupBy(['category.name', { $month: '$date' }])
      .select(['category.name', { month: { $month: '$date' } }, { total: { $sum: '$amount' } }]));
    console.log(JSON.stringify(data));
  }
  await api.shutdown();
})();
"""

Ways = tuple[Contestant, Contestant]
"""Imports the ledger; answers the question."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure whoever is there, and print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="how many rows the ledger has")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--beancount", type=Path, help="a Python with beancount and beanquery")
    parser.add_argument(
        "--actual", type=Path, help="a folder in which npm installed @actual-app/api"
    )
    parser.add_argument("--markdown", action="store_true", help="the table for the handbook")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="finplan-peers-") as scratch:
        ground = Ground(Path(scratch), (options.rows,), options.rounds)
        print((in_markdown if options.markdown else in_columns)(_table(ground, options), _NUMBERS))
    return 0


def _table(ground: Ground, options: argparse.Namespace) -> list[Sequence[str]]:
    rows, folder = options.rows, ground.folder
    home = ground.new_home(like=ground.filled_store(rows))
    connection = floors.connect(home.places.database)
    categorised = connection.execute(CATEGORISED).fetchall()
    connection.close()
    with daemon(home) as running, daemon(ground.new_home()) as empty:
        made: dict[str, tuple[str, Ways] | None] = {
            "sqlite3": _sqlite(ground.statement(rows, "csv"), home.places.database, folder),
            "finplan": _finplan(running, empty, ground.statement(rows, "csv")),
            "hledger": _hledger(categorised, folder),
            "beancount": options.beancount and _beancount(categorised, folder, options.beancount),
            "Actual": options.actual and _actual(categorised, folder, options.actual),
        }
        there = {name: each for name, each in made.items() if each is not None}
        contestants: Mapping[tuple[str, int], Contestant] = {
            (name, place): ways[place] for name, (_, ways) in there.items() for place in (0, 1)
        }
        took = race(contestants, ground.rounds)
    for name in made.keys() - there.keys():
        sys.stderr.write(f"{name} is left out: it is not there.\n")
    return [
        HEADINGS,
        *(
            (name, version, f"{rows:,}", *_beside(took, name, 0), *_beside(took, name, 1))
            for name, (version, _) in there.items()
        ),
    ]


def _beside(took: Mapping[tuple[str, int], float], name: str, place: int) -> tuple[str, str]:
    seconds, floor = took[name, place], took["sqlite3", place]
    return shown_time(seconds), f"{seconds / floor:.1f}×"


def _sqlite(statement: Path, database: Path, folder: Path) -> tuple[str, Ways] | None:
    if shutil.which("sqlite3") is None:
        return None
    made = folder / "plain.db"

    def bring() -> float:
        made.unlink(missing_ok=True)
        return _timed(["sqlite3", str(made), f".import --csv {statement} row"])

    ask = partial(_timed, ["sqlite3", str(database), MONTHS_OF_CATEGORIES])
    return _said(["sqlite3", "--version"]).split()[0], (bring, ask)


def _finplan(running: Daemon, empty: Daemon, statement: Path) -> tuple[str, Ways]:
    def bring() -> float:
        seconds = _timed([*FINPLAN, "--quiet", "import", str(statement)], empty.environment)
        # A connection that was open since the last round would have been quiet for too long.
        (wire,) = empty.wires(1)
        (batch, *_) = json.loads(wire.ask(Question("GET", "/imports")))
        wire.ask(Question("DELETE", f"/imports/{batch['id']}"))
        wire.close()
        return seconds

    months = [*FINPLAN, "spending", "--monthly", "--json"]
    ask = partial(_timed, months, running.environment)
    return _said([*FINPLAN, "--version"]).split()[-1], (bring, ask)


def _hledger(rows: Sequence[tuple[int, int, str, str]], folder: Path) -> tuple[str, Ways] | None:
    if shutil.which("hledger") is None:
        return None
    journal = folder / "categorised.journal"
    journal.write_text(
        "".join(
            f"{_dashed(day)} {raw}\n    assets:checking  ${to_text(amount, 'USD')}\n    {category}\n\n"
            for day, amount, raw, category in rows
        ),
        "utf-8",
    )
    read = partial(_timed, ["hledger", "-f", str(journal), "stats"])
    ask = partial(_timed, ["hledger", "-f", str(journal), "balance", "-M", "-O", "csv"])
    return _said(["hledger", "--version"]).split()[1].strip(","), (read, ask)


def _beancount(
    rows: Sequence[tuple[int, int, str, str]], folder: Path, python: Path
) -> tuple[str, Ways]:
    journal = folder / "categorised.beancount"
    names = {category: f"Expenses:{category.title().replace('_', '')}" for *_, category in rows}
    first = _dashed(rows[0][0])
    journal.write_text(
        "".join(f"{first} open {name} USD\n" for name in ("Assets:Checking", *set(names.values())))
        + "".join(
            f'{_dashed(day)} * "{raw}"\n  Assets:Checking  {to_text(amount, "USD")} USD\n'
            f"  {names[category]}\n\n"
            for day, amount, raw, category in rows
        ),
        "utf-8",
    )
    query = "SELECT account, year, month, sum(position) GROUP BY account, year, month"
    tool = python.with_name("bean-query")
    read = partial(_timed, [str(python.with_name("bean-check")), "--no-cache", str(journal)])
    ask = partial(_timed, [str(tool), "-q", str(journal), query])
    version = "import beancount; print(beancount.__version__)"
    return _said([str(python), "-c", version]).strip(), (read, ask)


def _actual(
    rows: Sequence[tuple[int, int, str, str]], folder: Path, installed: Path
) -> tuple[str, Ways]:
    script, file, data = installed / "bench.js", folder / "actual.json", folder / "actual"
    script.write_text(ACTUAL, "utf-8")
    told = [
        {"date": _dashed(day), "amount": amount, "payee_name": raw, "category": category}
        for day, amount, raw, category in rows
    ]
    file.write_text(json.dumps({"rows": told}), "utf-8")

    def bring() -> float:
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        return _timed(["node", str(script), "import", str(data), str(file)])

    package = installed / "node_modules" / "@actual-app" / "api" / "package.json"
    version = json.loads(package.read_text("utf-8"))["version"]
    return version, (bring, partial(_timed, ["node", str(script), "ask", str(data)]))


def _dashed(day: int) -> str:
    return f"{day // 10000}-{day // 100 % 100:02d}-{day % 100:02d}"


def _timed(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    return timed(lambda: _said(command, environment))


def _said(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    return subprocess.run(
        command, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


if __name__ == "__main__":
    raise SystemExit(main())
