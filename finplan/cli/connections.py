"""`finplan connections`: the linked banks."""

from typing import Annotated

import typer

from finplan.cli.choices import Noun
from finplan.cli.choosing import Candidate, is_whole, pick
from finplan.cli.complain import BANK, USAGE, Complaint, complain
from finplan.cli.session import Session
from finplan.model.connection import ConnectionRecord, SyncReport
