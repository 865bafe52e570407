"""What the store keeps of a household, without the numbers that rows have inside the store."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from finplan.plan.ledger.days import Interval, merged

_VERDICT = "remembered_row AS {0} ON {0}.no = verdict.{1}"
_IDENTITY = (
    "{0}.account_id, {0}.account_key, {0}.day, {0}.amount, {0}.raw, {0}.external_id, {0}.ordinal,"
    " {0}.pending"
)

_QUERIES: Mapping[str, str] = {
    "person": "SELECT currency, time_zone, budget_shares, target_months, monthly_income FROM person",
    "connection": "SELECT id, institution_name, status, created_at FROM connection",
    "account": (
        "SELECT account.id, connection.id, external_id, name, mask, kind, subtype, currency, balance,"
        " balance_day, credit_limit, apr, minimum_payment, hidden, kept, own,"
        " account.since, sources FROM account JOIN connection ON connection.no = connection_no"
    ),
    "balance_record": (
        "SELECT account.id, day, balance_record.balance, import_no > 0 FROM balance_record"
        " JOIN account ON account.no = account_no"
    ),
    # Which import said so makes no difference, so that days that touch are one interval.
    "coverage": (
        "SELECT account.id, coverage.since, until, since_stated, until_stated FROM coverage"
        " JOIN account ON account.no = account_no"
    ),
    "payee": (
        "SELECT key, name, raw, category_out, category_in, decided_out, decided_in, source, confidence,"
        " alternatives, suggested, why FROM payee"
    ),
    "tx": (
        "SELECT account.id, key, day, amount, tx.raw, tx.external_id, ordinal, tx.source, tx.counts,"
        " code, transfer.id, peer.id FROM tx JOIN account ON account.no = account_no"
        " JOIN payee ON payee.no = payee_no LEFT JOIN transfer ON transfer.no = transfer_no"
        " LEFT JOIN account AS peer ON peer.no = peer_no"
    ),
    "pending": (
        "SELECT account.id, key, day, amount, pending.raw, pending.external_id FROM pending"
        " JOIN account ON account.no = account_no JOIN payee ON payee.no = payee_no"
    ),
    "transfer": "SELECT id, counts FROM transfer",
    "rule": (
        "SELECT rule.id, key, amount, direction, category, saved_at FROM rule"
        " JOIN payee ON payee.no = payee_no"
    ),
    "task_answer": (
        "SELECT task_id, body, rule.id, word.id, each, answered_at FROM task_answer"
        " LEFT JOIN rule ON rule.no = rule_no LEFT JOIN single_word AS word ON word.no = word_no"
    ),
    "single_word": (
        f"SELECT word.id, word.category, note, said_at, {_IDENTITY.format('r')}, tx.day, tx.amount,"
        " tx.raw, pending.day, pending.amount, pending.raw"
        " FROM single_word AS word JOIN remembered_row AS r ON r.no = row_no"
        " LEFT JOIN tx ON tx.no = tx_no LEFT JOIN pending ON pending.no = pending_no"
    ),
    "word_part": (
        "SELECT word.id, place, part.amount, part.category, part.note FROM word_part AS part"
        " JOIN single_word AS word ON word.no = word_no"
    ),
    "custom_category": (
        "SELECT id, name, known_as, line, reimbursable, created_at FROM custom_category"
    ),
    "dismissed_suggestion": "SELECT name FROM dismissed_suggestion",
    "planned": (
        "SELECT planned.id, planned.name, amount, planned.currency, incoming, day, in_month, cadence,"
        " until, account.id, category, planned_on, done, saved_at FROM planned"
        " LEFT JOIN account ON account.no = account_no"
    ),
    "transfer_verdict": (
        f"SELECT id, verdict, decided_at, {_IDENTITY.format('o')}, {_IDENTITY.format('i')}"
        f" FROM transfer_verdict AS verdict JOIN {_VERDICT.format('o', 'out_row_no')}"
        f" JOIN {_VERDICT.format('i', 'in_row_no')}"
    ),
    "series_verdict": (
        "SELECT id, kind, payee_key, amount, day, cadence, interval_days, verdict, decided_at"
        " FROM series_verdict"
    ),
    "duplicate_verdict": (
        f"SELECT id, kind, verdict, decided_at, kept_account, other_account, {_IDENTITY.format('k')},"
        f" {_IDENTITY.format('o')} FROM duplicate_verdict AS verdict"
        f" LEFT JOIN {_VERDICT.format('k', 'kept_row_no')}"
        f" LEFT JOIN {_VERDICT.format('o', 'other_row_no')}"
    ),
    "set_aside": (
        "SELECT duplicate_verdict.id, account.id, key, day, amount, set_aside.raw, code, ordinal,"
        " set_aside.source, pending FROM set_aside JOIN account ON account.no = account_no"
        " JOIN payee ON payee.no = payee_no"
        " JOIN duplicate_verdict ON duplicate_verdict.no = verdict_no"
    ),
    "csv_answer": (
        "SELECT signature, header, encoding, date_order, decimal_sign, direction, amount_column,"
        " csv_answer.currency, account.id, saved_at FROM csv_answer"
        " LEFT JOIN account ON account.no = account_no"
    ),
    "remembered_row": "SELECT account_id, day, amount, raw, ordinal FROM remembered_row",
}


def kept_tables(connection: Connection) -> dict[str, Sequence[tuple[Any, ...]]]:
    """The rows of every table of a household, in an order that hangs on no number."""
    kept: dict[str, Sequence[tuple[Any, ...]]] = {
        name: sorted(map(tuple, connection.exec_driver_sql(query)), key=repr)
        for name, query in _QUERIES.items()
    }
    intervals: dict[object, list[Interval]] = {}
    for account, since, until, *stated in kept["coverage"]:
        interval = Interval(since, until, *map(bool, stated))
        intervals.setdefault(account, []).append(interval)
    kept["coverage"] = [(account, *merged(each)) for account, each in intervals.items()]
    return kept
