"""`python -m tests.fuzz`: let atheris look for bytes that a reader cannot bear, one target or all.

atheris watches which branches of the readers an input takes, and varies the inputs that take new ones.
Those are kept in the folder, so that the next run goes on from there; bytes that break a law end the
process with an exit code that is not 0, and are kept beside them as `TARGET-crash-…`.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.fuzz.seeds import SEEDS, WORDS, WORDS_OF_ALL

TARGETS = ("detection", *SEEDS)
LONGEST_INPUT = 8192
MEMORY = 512
"""Megabytes that the process may come to occupy, with atheris and what it keeps of the inputs."""

SEED_HELP = "of chance, another one each time if 0; else PYTHONHASHSEED=0 repeats a run exactly"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fuzz for so many runs or seconds; ends the process, with 0 when no law was broken."""
    options = _parser().parse_args(arguments)
    if find_spec("atheris") is None:
        sys.exit("atheris is not installed; it has no wheel for this Python or this system.")
    if options.target is None:
        failed = [target for target in TARGETS if _run_apart(target) != 0]
        sys.exit(f"Some bytes break these readers: {', '.join(failed)}." if failed else 0)
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["finplan.statements"]):
        judge = import_module("tests.fuzz.judge").judge
    corpus = options.folder / options.target
    seeds = options.folder / f"{options.target}.seeds"
    for each in (corpus, seeds):
        each.mkdir(parents=True, exist_ok=True)
    for name, content in _beginnings(options):
        (seeds / name).write_bytes(content)
    path = options.folder / f"{options.target}.statement"
    atheris.Setup(
        [sys.argv[0], *_flags(options), str(corpus)],
        lambda content: judge(options.target, content, path, counting=False),
    )
    atheris.Fuzz()


def _run_apart(target: str) -> int:
    """Fuzz one target in a process of its own, which atheris ends."""
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", target, *sys.argv[1:]], check=False
    ).returncode


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", choices=TARGETS, help="all, each in turn, by default")
    parser.add_argument("--runs", type=int, default=-1, help="how many inputs; all by default")
    parser.add_argument("--seconds", type=int, default=0, help="for how long; no limit by default")
    parser.add_argument("--seed", type=int, default=0, help=SEED_HELP)
    parser.add_argument("--folder", type=Path, default=Path(".fuzz"), help="where inputs are kept")
    parser.add_argument("--samples", type=Path, help="a folder of more files to vary")
    return parser


def _flags(options: argparse.Namespace) -> Iterator[str]:
    words = WORDS.get(options.target) or [word for some in WORDS.values() for word in some]
    dictionary = options.folder / f"{options.target}.words"
    lines = (f'"{_escaped(word)}"\n' for word in dict.fromkeys([*WORDS_OF_ALL, *words]))
    dictionary.write_text("".join(lines), encoding="ascii")
    yield f"-dict={dictionary}"
    # One by one, since a file system lists a folder in an order of its own.
    names = [name for name, _ in _beginnings(options)]
    listed = options.folder / f"{options.target}.listed"
    listed.write_text(
        ",".join(str(options.folder / f"{options.target}.seeds" / name) for name in names)
    )
    yield f"-seed_inputs=@{listed}"
    yield f"-runs={options.runs}"
    yield f"-max_total_time={options.seconds}"
    yield f"-seed={options.seed}"
    if options.seed:
        # The clock says when to look for inputs of other processes, and addresses in memory, which
        # are others in each process, how to follow comparisons.
        yield "-reload=0"
        yield "-use_cmp=0"
    yield f"-max_len={LONGEST_INPUT}"
    yield f"-rss_limit_mb={MEMORY}"
    # Counting steps would take longer than reading; this ends an input that never comes back.
    yield "-timeout=60"
    yield "-print_final_stats=1"
    yield "-verbosity=0"
    yield f"-artifact_prefix={options.folder / options.target}-"


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02X}" for byte in word.encode())


def _beginnings(options: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    """Give what the first inputs are, each with a name."""
    chosen = SEEDS.get(options.target) or [seed for seeds in SEEDS.values() for seed in seeds]
    for place, seed in enumerate(chosen):
        yield f"seed-{place}", seed
    samples = sorted(options.samples.rglob("*")) if options.samples else []
    for place, sample in enumerate(filter(Path.is_file, samples)):
        yield f"sample-{place}", sample.read_bytes()[:LONGEST_INPUT]


if __name__ == "__main__":
    main()
