"""The store of the evaluation's household, made once."""

import asyncio
from pathlib import Path

import pytest

from tests.daemon.mcp.evaluation.known_rows import FILED, FILES
from tests.daemon.running import running_daemon


@pytest.fixture(scope="session")
def known_store(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with the household imported and its merchants filed."""
    folder = tmp_path_factory.mktemp("evaluated")
    asyncio.run(_settle(folder, empty_store))
    return folder / "finplan.db"


async def _settle(folder: Path, empty_store: Path) -> None:
    async with running_daemon(folder, empty_store) as daemon:
        files = [("file", (name, make().encode())) for name, make in FILES.items()]
        imported = await daemon.http.post("/api/v1/imports", files=files)
        assert imported.status_code == 200, imported.text
        rules = [{"payeeKey": name, "category": filed} for name, filed in FILED.items()]
        filed = await daemon.http.put("/api/v1/categories/rules/batch", json={"rules": rules})
        assert filed.status_code == 200, filed.text
        assert not filed.json()["errors"], filed.text
        built = await daemon.http.post("/api/v1/plan")
        assert built.status_code in {200, 201}, built.text
        await daemon.http.patch("/api/v1/settings", json={"timeZone": "UTC"})
