"""`finplan`, and `python -m finplan`: the command line."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        from finplan.cli.console.quick import be_quick

        be_quick()
        if sys.argv[1:2] == ["__complete"]:
            from finplan.cli.completing.command_line import complete

            sys.exit(complete(sys.argv[2:]))
        from finplan.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
