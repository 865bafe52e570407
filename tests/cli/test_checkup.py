"""The doctor says where the data key comes from, and what is wrong with it."""

import json
from pathlib import Path

import pytest

from finplan.cli.commands.checkup import findings, misread_imports
from finplan.cli.showing.doctor import Finding
from finplan.model.statement import FileReport, ImportRecord, ImportReport
from finplan.settings import DATA_KEY_VARIABLE, Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = load_settings("default", {"FINPLAN_HOME": str(tmp_path)})
    settings.places.data.mkdir(mode=0o700)
    return settings


def found(settings: Settings, name: str) -> Finding | None:
    return next((each for each in findings(settings) if each.name == name), None)


def test_before_the_first_start_there_is_no_key(settings: Settings) -> None:
    """What has not been chosen yet is nothing to worry about."""
    finding = found(settings, "data key")

    assert finding is not None
    assert (finding.state, finding.text.split(";")[0]) == ("ok", "none yet")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("file", "kept in /"),
        ("keyring", "kept in the keyring of the system"),
        (DATA_KEY_VARIABLE, f"given by {DATA_KEY_VARIABLE}"),
        ("finplan-data-key", "given by finplan-data-key"),
    ],
)
def test_the_source_that_was_chosen_is_named(settings: Settings, source: str, told: str) -> None:
    """Each source is told from the others, and the key itself is never shown."""
    file = settings.places.data_key
    file.write_text(json.dumps({"source": source, "key": "c2VjcmV0"}))
    file.chmod(0o600)

    finding = found(settings, "data key")

    assert finding is not None
    assert finding.state == "ok"
    assert finding.text.startswith(told)
    assert "c2VjcmV0" not in finding.text


def test_a_key_that_others_can_read_is_warned_of(settings: Settings) -> None:
    """The file with the key is its owner's alone."""
    settings.places.data_key.write_text('{"source": "file", "key": ""}')
    settings.places.data_key.chmod(0o644)

    finding = found(settings, "data key")

    assert finding is not None
    assert (finding.state, finding.advice[:9]) == ("warn", "chmod 600")


@pytest.mark.parametrize("content", ["", "[]", "{}"])
def test_a_broken_choice_is_bad(settings: Settings, content: str) -> None:
    """Without it the daemon does not start, so the doctor says what to do."""
    settings.places.data_key.write_text(content)

    finding = found(settings, "data key")

    assert finding is not None
    assert finding.state == "bad"
    assert finding.advice


def test_the_variable_of_the_key_is_known(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told that the place where the key is given is unknown."""
    monkeypatch.setenv(DATA_KEY_VARIABLE, "given")

    assert found(settings, "environment") is None


def test_an_import_that_was_read_wrongly_is_named() -> None:
    """It is told what was wrong and how to undo it, until it is undone."""
    file = FileReport(
        file="card.csv", format="CSV", encoding="utf-8", accounts=(), transactions=1, new=1, known=0,
        ambiguous=0, error=None,
    )  # fmt: skip
    report = ImportReport(id="imp_1", dry_run=False, digest="", files=(file,))
    wrong = ImportRecord(id="imp_1", imported_at=1, undone_at=None, report=report, misread="signs")
    right = wrong.model_copy(update={"misread": None})
    undone = wrong.model_copy(update={"undone_at": 2})

    (finding,) = misread_imports([right, wrong, undone])

    assert (finding.state, finding.text) == (
        "warn", "card.csv was imported with its signs the other way round"
    )  # fmt: skip
    assert "`finplan imports undo imp_1`" in finding.advice
