"""Restoring what the person set, said and decided: settings, categories, rules, answers, verdicts.

A word that is there already gives way to that of an export, and comes back when that is undone; what
the person has said since stays. Verdicts are on transfers, series, duplicates and rows, with what is
set aside.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection

from finplan.model import household
from finplan.model.base import folded_name
from finplan.model.transaction import remarks_of
from finplan.plan.ledger.days import day_of
from finplan.service.ids import new_id, new_rule_id
from finplan.service.restoring.accounts import BroughtWords, PlacedAccount
from finplan.store.queries import (
    categories,
    duplicates,
    imports,
    payees,
    people,
    plans,
    single_words,
    verdicts,
)
from finplan.store.queries.rows import add_all
from finplan.store.tables import tables

SETTINGS = ("currency", "time_zone", "budget_shares", "target_months", "monthly_income")
"""The columns of a person that are settings of the household."""


Placed = Mapping[str, PlacedAccount]


@dataclass(slots=True)
class WordsToRestore:
    """What an exported household set, said and decided, put into a home by one method for each kind.

    `numbers` has the payees' numbers by key; `categories` the ids here of the household's own, once they
    are restored. What came is noted in `brought`. Without `overrule` what is here already stays.
    """

    connection: Connection
    owner: int
    exported: household.ExportedHousehold
    placed: Placed
    numbers: Mapping[str, int]
    brought: BroughtWords
    overrule: bool = True
    categories: dict[str, str] = field(default_factory=dict)

    def restore_settings(self) -> None:
        """Let the household have the settings of the export."""
        shares = self.exported.settings.budget_shares
        self.brought.settings = self.exported.settings.model_dump(by_alias=False) | {
            "budget_shares": None if shares is None else shares.model_dump_json()
        }
        people.change_person(self.connection, self.owner, self.brought.settings)

    def restore_categories(self) -> None:
        """Make the categories; one that is called like one that is here is that one."""
        dismissed = categories.dismissed_names(self.connection, self.owner)
        for name in set(self.exported.dismissed_suggestions) - dismissed:
            categories.set_dismissed(self.connection, self.owner, name, dismissed=True)
            self.brought.suggestions.append(name)
        rows = categories.list_categories(self.connection, self.owner)
        own = {row["id"] for row in rows}
        by_name = {row["known_as"]: row["id"] for row in rows}
        category_ids = (category.id for category in self.exported.categories)
        taken = people.taken_ids(self.connection, tables.custom_category, category_ids)
        for category in self.exported.categories:
            known_as = folded_name(category.name)
            present = category.id if category.id in own else by_name.get(known_as)
            if present is None:
                present = new_id("cat") if category.id in taken else category.id
                added = {"id": present, "owner_no": self.owner, "known_as": known_as}
                values = category.model_dump(by_alias=False) | added
                categories.add_category(self.connection, values)
                by_name[known_as] = present
                self.brought.categories.append(present)
            self.categories[category.id] = present

    def restore_rules(self) -> Mapping[str, int]:
        """Save the rules; answers their numbers by the ids that they had."""
        present = {
            (row["payee_no"], row["amount"], row["direction"]): row
            for row in categories.list_rules(self.connection, self.owner)
        }
        rule_ids = (rule.id for rule in self.exported.rules)
        taken = people.taken_ids(self.connection, tables.rule, rule_ids)
        saved: dict[str, int] = {}
        for rule in self.exported.rules:
            payee = self.numbers[rule.payee_key]
            earlier = present.get((payee, rule.amount, rule.direction))
            if earlier is not None:
                if not self.overrule:
                    continue
                categories.remove_rule(self.connection, earlier["no"])
                taken.discard(earlier["id"])
            public_id = new_rule_id(rule.direction) if rule.id in taken else rule.id
            category = self.categories.get(rule.category, rule.category)
            values = {"id": public_id, "owner_no": self.owner, "payee_no": payee}
            fields = rule.model_dump(by_alias=False, exclude={"payee_key"}) | {"category": category}
            saved[rule.id] = categories.save_rule(self.connection, fields | values)
            self.brought.rules.append((public_id, rule.saved_at))
            if rule.amount is None:
                payees.apply_rules(self.connection, payee)
        return saved

    def restore_answers(self, saved: Mapping[str, int], row_nos: Mapping[str, int]) -> None:
        """Keep what was answered: `saved` has the rules that answers made, `row_nos` the words on rows.

        An answer whose rule or word stayed away stays away with it. A question that was answered here
        keeps those answers without `overrule`, and else those of the household alone.
        """
        task_ids = {answer.task.id for answer in self.exported.answers}
        rows = [
            row
            for row in verdicts.list_answers(self.connection, self.owner)
            if row["task_id"] in task_ids
        ]
        done = frozenset() if self.overrule else {row["task_id"] for row in rows}
        for row in rows:
            if self.overrule:
                verdicts.remove_answer(self.connection, row["no"])
        for answer in self.exported.answers:
            rule_id, word_id = answer.rule_id, answer.word_id
            if answer.task.id in done or not {rule_id, word_id} <= {None, *saved, *row_nos}:
                continue
            verdicts.save_answer(
                self.connection,
                {
                    "owner_no": self.owner,
                    "task_id": answer.task.id,
                    "body": answer.task.model_dump_json(),
                    "rule_no": None if rule_id is None else saved[rule_id],
                    "word_no": None if word_id is None else row_nos[word_id],
                    "each": int(answer.each),
                    "answered_at": answer.answered_at,
                },
            )
            self.brought.answers.append((answer.task.id, answer.answered_at))

    def restore_planned(self) -> None:
        """Keep planned money beside what is planned here already."""
        ids = (money.id for money in self.exported.planned)
        taken = people.taken_ids(self.connection, tables.planned, ids)
        for money in self.exported.planned:
            public_id = new_id("pln") if money.id in taken else money.id
            account, category, until = money.account_id, money.category, money.until
            plans.add_planned(
                self.connection,
                {
                    "id": public_id,
                    "owner_no": self.owner,
                    "name": money.name,
                    "amount": money.amount,
                    "currency": money.currency,
                    "incoming": int(money.incoming),
                    "day": day_of(money.date),
                    "in_month": int(money.in_month),
                    "cadence": money.cadence,
                    "until": None if until is None else day_of(until),
                    "account_no": None if account is None else self.placed[account].no,
                    "category": category and self.categories.get(category, category),
                    "planned_on": day_of(money.planned_on),
                    "done": int(money.done),
                    "saved_at": money.saved_at,
                },
            )
            self.brought.planned.append((public_id, money.saved_at))

    def restore_file_answers(self, batch: int) -> None:
        """Keep what was said of how files are read, in the order in which it was."""
        imports.add_answers(
            self.connection,
            [
                {
                    "owner_no": self.owner,
                    "import_no": batch,
                    "header": file.columns,
                    "account_no": file.account_id and self.placed[file.account_id].no,
                    **file.model_dump(by_alias=False, exclude={"columns", "account_id"}),
                }
                for file in self.exported.files
            ],
        )

    def restore_transfer_verdicts(self, ids: Mapping[str, str]) -> None:
        """Keep the verdicts on transfers; `ids` has those of pairs that go by another id here."""
        old = {past.id: past for past in verdicts.transfer_verdicts(self.connection, self.owner)}
        for verdict in self.exported.transfers:
            public_id = ids.get(verdict.id, verdict.id)
            if public_id in old:
                if not self.overrule:
                    continue
                verdicts.drop_transfer_verdict(self.connection, old[public_id])
            rows = (self._identity(verdict.out), self._identity(verdict.into))
            text, at = verdict.verdict, verdict.decided_at
            verdicts.save_transfer_verdict(self.connection, self.owner, public_id, text, rows, at)
            self.brought.transfers.append((public_id, at))

    def restore_series_verdicts(self) -> None:
        """Keep the verdicts on what comes again."""
        old = {row["id"] for row in verdicts.series_verdicts(self.connection, self.owner)}
        for verdict in self.exported.recurring:
            if verdict.id in old and not self.overrule:
                continue
            fields = verdict.model_dump(by_alias=False, exclude={"date"})
            values = fields | {"day": day_of(verdict.date)}
            verdicts.save_series_verdict(self.connection, self.owner, values)
            self.brought.recurring.append((verdict.id, verdict.decided_at))

    def restore_single_words(self) -> Mapping[str, int]:
        """Keep the words on single rows; answers their numbers by id.

        Which rows they are about is found once all rows are there.
        """
        old = {row["id"]: row["no"] for row in single_words.list_words(self.connection, self.owner)}
        numbers = {}
        for entry in self.exported.single_words:
            if entry.id in old:
                if not self.overrule:
                    continue
                single_words.remove_word(self.connection, old[entry.id])
            row_word, row = self._row_word(entry), self._identity(entry.row)
            numbers[entry.id] = single_words.add_word(
                self.connection, self.owner, entry.id, row, row_word, entry.said_at
            )
            self.brought.words.append((entry.id, entry.said_at))
        return numbers

    def restore_duplicate_verdicts(self, batch: int | None) -> None:
        """Keep the verdicts on duplicates, with what they set aside."""
        old = {
            saved.id: saved for saved in duplicates.duplicate_verdicts(self.connection, self.owner)
        }
        for verdict in self.exported.duplicates:
            if verdict.id in old:
                if not self.overrule:
                    continue
                duplicates.drop_verdict(self.connection, old[verdict.id])
            self._save_duplicate(verdict)
            self.brought.duplicates.append((verdict.id, verdict.decided_at))
        now_kept = duplicates.duplicate_verdicts(self.connection, self.owner)
        numbers = {saved.id: saved.no for saved in now_kept}
        aside = [
            {
                **row.model_dump(by_alias=False, exclude={"account_id", "payee_key", "date"}),
                "owner_no": self.owner,
                "verdict_no": numbers[verdict.id],
                "account_no": self.placed[row.account_id].no,
                "payee_no": self.numbers[row.payee_key],
                "day": day_of(row.date),
                "pending": 0,
                "import_no": batch,
            }
            for verdict in self.exported.duplicates
            if (row := verdict.set_aside) is not None and row.account_id in self.placed
        ]
        add_all(self.connection, tables.set_aside, aside)

    def _save_duplicate(self, verdict: household.ExportedDuplicateVerdict) -> None:
        connection, owner = self.connection, self.owner
        text, at = verdict.verdict, verdict.decided_at
        if verdict.rows is not None:
            original, copy = map(self._identity, verdict.rows)
            duplicates.save_row_verdict(connection, owner, verdict.id, text, original, copy, at)
        elif verdict.accounts is not None:
            first, second = map(self._account_id, verdict.accounts)
            ids = (first, second)
            duplicates.save_account_verdict(connection, owner, verdict.id, text, ids, at)

    def _row_word(self, entry: household.ExportedSingleWord) -> single_words.RowWord:
        ids = self.categories
        parts = (
            single_words.WordPart(part.amount, ids.get(part.category, part.category), part.note)
            for part in entry.splits
        )
        category = None if entry.category is None else ids.get(entry.category, entry.category)
        return single_words.RowWord(category, parts=tuple(parts), **remarks_of(entry))

    def _identity(self, row: household.ExportedRowIdentity) -> verdicts.RowIdentity:
        same = row.model_dump(by_alias=False, exclude={"account_id", "date", "pending"})
        return verdicts.RowIdentity(
            account_id=self._account_id(row.account_id),
            day=day_of(row.date),
            pending=int(row.pending),
            **same,
        )

    def _account_id(self, former: str) -> str:
        return self.placed[former].id if former in self.placed else former
