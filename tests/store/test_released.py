"""A released schema is never edited: a store somewhere was made by it as it was."""

import hashlib
from pathlib import Path

import finplan.store

RELEASED = {
    "0001_first": "9328fa3fe401fadf",
    "0002_verdicts": "45c172e3ed283ef6",
    "0003_categories": "65b91630501a8688",
    "0004_codes": "9fe141f70b106e66",
    "0005_csv_answers": "fbb7d6985a9f6e10",
    "0006_keys": "d4855d84a813af73",
    "0007_builds": "8adf6e6faa582cb2",
    "0008_keys_of_payees": "d537ee699881f3b1",
    "0009_row_generation": "72a8c43ee3543130",
    "0010_events": "a2f895cc62c4f014",
    "0011_direction": "2e7e419ba0026e0c",
    "0012_misread": "a088414bb73e29ba",
    "0013_coverage": "e7e069f18a9a2f4d",
    "0014_restored_answers": "dbd009255168f2c1",
    "0015_partial_answers": "d6adacb397f1c0db",
    "0016_access": "ce756925bc782cd6",
    "0017_authorization": "409e5a58cfae6ef9",
    "0018_jobs": "9b880b71302480e2",
    "0019_webhooks": "94fe2d2c3f997b69",
    "0020_own_words": "b0b445c04a279bd0",
    "0021_chosen_by": "762e4f89a037600d",
    "0022_tries_by_hand": "f3bf0cb8c2cbb32b",
    "0023_agent_tasks": "1664f44e1960ce81",
    "0024_filed": "b59e55784b3dec9c",
    "0025_last_failures": "828315b829ec7435",
    "0026_banks": "fcdf8a9aa13c9c37",
    "0027_folded": "c86fc01637c26a1f",
    "0028_bank_links": "59b51de4816e1c49",
    "0029_numbers_of_rows": "6e1acaa9e3175fe4",
    "0030_fees": "11924d782406f0d9",
}
"""The beginning of the SHA-256 of each revision's file. A new revision adds its line here."""


def test_no_released_revision_is_edited() -> None:
    """Each file is byte for byte what it was when it was added; what has to change is a new revision."""
    folder = Path(finplan.store.__file__).parent / "migrations" / "versions"
    present = {
        file.stem: hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        for file in sorted(folder.glob("*.py"))
    }

    edited = [name for name, known in RELEASED.items() if present.get(name) != known]
    assert not edited, f"Put these back as they were, and make a new revision: {edited}"
    added = {name: each for name, each in present.items() if name not in RELEASED}
    assert not added, f"Add to RELEASED, and never change again: {added}"
