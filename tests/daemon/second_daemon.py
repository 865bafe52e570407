"""`python -m tests.daemon.second_daemon STORE UPLOADS`: serves a store that another process serves too.

It prints its port and its session token as JSON, and ends when its standard input does.
"""

import asyncio
import json
import sys
from pathlib import Path

from tests.daemon.running import serving


async def main() -> None:
    async with serving(Path(sys.argv[1]), Path(sys.argv[2])) as running:
        print(json.dumps({"port": running.port, "token": running.token}), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
