"""Households whose life changes, as statement files, with what a planner would say of each.

The files lie beside the project; FINPLAN_CASES names another folder of them.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from finplan.banks.manual import Manual
from finplan.model.base import Nothing
from finplan.model.forecast import ForecastRequest
from finplan.model.statement import ImportRequest
from finplan.model.user import SettingsChange
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people.people import change_settings, ensure_owner
from finplan.service.planning.forecasts import show_forecast
from finplan.store.store import Store
from tests.households.conftest import Home, Shown

FOLDER = Path(
    os.environ.get("FINPLAN_CASES", Path(__file__).parents[3] / "shared" / "cases3")
)
TODAY = date(2026, 11, 22)
"""The day of the fixtures' home, which these tests do not use."""
