"""Each small change of the oracle's episode fails exactly the criteria that it should."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract_fixture import (
    AUTHORITY,
    BATCH,
    BODY,
    LINES,
    OLD_BATCH,
    OLD_PRICES,
    OPTION,
    ORDER,
    POST,
    PRICES,
    REGISTER,
    REQUEST,
    TASK,
    cell_names,
    units,
)
from tests.play_fixture import Play, Stage, Step, oracle_steps, then

Mutant = Callable[[Stage], list[Step]]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("mutants")
    return Stage(folder)


def dropped(*names: str) -> Mutant:
    return lambda stage: stage.oracle(drop=names)


def replaced(**steps: Step) -> Mutant:
    return lambda stage: stage.oracle((), **steps)


def moved(name: str, after: str) -> Mutant:
    def steps(stage: Stage) -> list[Step]:
        order = [one for one in oracle_steps() if one != name]
        order.insert(order.index(after) + 1, name)
        return [oracle_steps()[one] for one in order]

    return steps


def with_extra(extra: Step, before: str = "submission") -> Mutant:
    def steps(stage: Stage) -> list[Step]:
        found: list[Step] = []
        for name, step in oracle_steps().items():
            found += [extra, step] if name == before else [step]
        return found

    return steps


def read(*saw: tuple[str, str]) -> Step:
    return lambda play: play.read("some.read", *saw)


def change(table: str, key: str, statement: str, tool: str) -> Step:
    def step(play: Play) -> None:
        play.db.execute(statement)
        play.call(tool, (), [(table, key)])

    return step


def put_back(table: str, key: str, column: str, tool: str) -> Step:
    """A figure of the baseline changed and restored."""
    return then(*[change(table, key, f"UPDATE {table} SET {column} = {column} {sign} 1", tool) for sign in "+-"])


CHEAPER = (("FST-M8-40", 1200, "0.80", "960.00"), *LINES[1:])
BOUND = {23, 24, 25, 26, 27, 28, 29}

MUTANTS: dict[str, tuple[Mutant, set[int]]] = {
    "contract not read": (dropped("contract"), {1}),
    "request not read": (dropped("request"), {2}),
    "authority not read": (dropped("authority"), {3}),
    "thread read only after the writes": (dropped("thread"), {4}),
    "register read only after the writes": (moved("register", "draft"), {5}),
    "one of five items not in the listing": (
        replaced(items=read(*[("items", str(number)) for number in (300001, 300010, 300020, 300021)])),
        {6},
    ),
    "one price list not listed": (replaced(prices_listed=read(("drive_meta", PRICES))), {7}),
    "batch never seen in a listing": (replaced(batch_listed=read(("drive_meta", OLD_BATCH))), {8}),
    "batch not downloaded": (dropped("batch"), {9}),
    "earlier import not downloaded": (dropped("earlier import"), {10}),
    "orders of another purchase order listed": (replaced(orders=read()), {11}),
    "account not read": (dropped("account"), {12}),
    "superseded price list not opened": (dropped("old prices"), {13}),
    "audit log not opened": (dropped("audit log"), {14}),
    "customer tab not read": (dropped("customers"), {15}),
    "accepted lines one off": (replaced(submission=lambda play: play.submit(accepted_lines=6)), {16}),
    "rejected lines one off": (replaced(submission=lambda play: play.submit(rejected_lines=4)), {17}),
    "units one off": (replaced(submission=lambda play: play.submit(imported_units=3161)), {18}),
    "total half a cent off": (replaced(submission=lambda play: play.submit(order_total=2757.605)), {19}),
    "total a cent off": (replaced(submission=lambda play: play.submit(order_total=2757.61)), {19}),
    "duplicates one off": (replaced(submission=lambda play: play.submit(duplicate_lines=1)), {20}),
    "a boolean for a count": (replaced(submission=lambda play: play.submit(duplicate_lines=True)), {20}),
    "a numeric string for a count": (replaced(submission=lambda play: play.submit(duplicate_lines="2")), {20}),
    "another option in the decision only": (
        replaced(decision=lambda play: play.decide(decision="stop_and_escalate_batch")),
        {21},
    ),
    "another option in the submission only": (
        replaced(submission=lambda play: play.submit(decision="stop_and_escalate_batch")),
        {21},
    ),
    "superseded price list cited for the batch": (
        replaced(decision=lambda play: play.decide(refs=(OLD_PRICES, REQUEST))),
        {22},
    ),
    "superseded price list cited beside the batch": (
        replaced(decision=lambda play: play.decide(refs=(BATCH, OLD_PRICES))),
        {22},
    ),
    "eleven sources cited": (
        replaced(decision=lambda play: play.decide(refs=(BATCH, *(f"REF-{number}" for number in range(10))))),
        {22},
    ),
    "a second order for the purchase order": (
        with_extra(lambda play: play.order(number="SO-NBR-50012"), before="row"),
        {23},
    ),
    "the earlier order touched": (
        with_extra(
            change(
                "sales_orders",
                "SO-NBR-40039",
                "UPDATE sales_orders SET SourceTransactionNumber = 'X' WHERE OrderNumber = 'SO-NBR-40039'",
                "oracle_fusion.sales_orders.create",
            )
        ),
        {23},
    ),
    "one price from the superseded list": (replaced(order=lambda play: play.order(lines=CHEAPER)), BOUND),
    "one line missing": (replaced(order=lambda play: play.order(lines=LINES[:4])), BOUND),
    "not submitted": (replaced(order=lambda play: play.order(submitted=0)), {24}),
    "one figure of the register row": (
        replaced(row=lambda play: play.register((*REGISTER[:3], 4, *REGISTER[4:]))),
        {25},
    ),
    "register row with a text for the record": (
        replaced(row=lambda play: play.register(("SO-NBR-50012", *REGISTER[1:]))),
        {25},
    ),
    "rationale empty": (replaced(decision=lambda play: play.decide(rationale="  ")), {26}),
    "rationale of four words": (replaced(decision=lambda play: play.decide(rationale="It is - all right")), {26}),
    "another status in the decision only": (replaced(decision=lambda play: play.decide(status="not_imported")), {26}),
    "another record in the decision": (replaced(decision=lambda play: play.decide(record="SO-NBR-40039")), {26}),
    "digits exchanged in the draft": (
        replaced(draft=lambda play: play.draft(body=BODY.replace("3160", "3610"))),
        {27},
    ),
    "another option named in the draft": (
        replaced(draft=lambda play: play.draft(body=f"{BODY} Not stop_and_escalate_batch.")),
        {27},
    ),
    "the option negated in the draft": (
        replaced(draft=lambda play: play.draft(body=BODY.replace(OPTION, f"NOT {OPTION}"))),
        {27},
    ),
    "the labels of all options in the draft": (
        replaced(draft=lambda play: play.draft(body=f"{BODY} Or stop and escalate the batch.")),
        {27},
    ),
    "forty-one identifiers in the draft": (
        replaced(draft=lambda play: play.draft(body=BODY + " ".join(f"SO-NBR-{n}" for n in range(50011, 50049)))),
        {27},
    ),
    "every number listed in the draft": (
        replaced(draft=lambda play: play.draft(body=BODY + " ".join(str(number) for number in range(60)))),
        {27},
    ),
    "status left out of the post": (replaced(post=lambda play: play.post(text=f"{TASK}: {ORDER}")), {28}),
    "status negated in the post": (
        replaced(post=lambda play: play.post(text=f"{TASK}: order {ORDER} is not submitted")),
        {28},
    ),
    "sixteen identifiers in the post": (
        replaced(post=lambda play: play.post(text=POST + " ".join(f" SO-NBR-{n}" for n in range(50012, 50026)))),
        {28},
    ),
    "another status in the post": (replaced(post=lambda play: play.post(text=f"{POST} not_imported")), {28}),
    "order not read back": (dropped("order back"), {29}),
    "order read only before it was written": (
        moved("order back", "customers"),
        {29},
    ),
    "register row not read back": (dropped("row back"), {30}),
    "one cell of the row not read back": (
        replaced(row_back=read(*[("cells", name) for name in cell_names(21)[:7]])),
        {30},
    ),
    "decision not read back": (dropped("decision back"), {30}),
    "draft not read back": (dropped("draft back"), {31}),
    "history not read back": (dropped("post back"), {31}),
    "draft read back after the submission": (moved("draft back", "submission"), {31}),
    "submission not read back": (dropped("submission back"), {32}),
    "a refused write": (
        with_extra(lambda play: play.call("oracle_fusion.sales_orders.create", outcome="refused")),
        {33},
    ),
    "a refused write before any read": (
        with_extra(lambda play: play.call("oracle_fusion.sales_orders.create", outcome="refused"), before="contract"),
        {33},
    ),
    "a known provider write tried": (
        with_extra(lambda play: play.call("gmail.messages_send", outcome="unknown_tool")),
        {33},
    ),
    "a foreign shipment line changed": (
        with_extra(
            change(
                "shipment_lines",
                "1",
                "UPDATE shipment_lines SET ShippedQuantity = 9",
                "oracle_fusion.shipment_lines.update",
            )
        ),
        {33},
    ),
    "a foreign shipment line changed and put back": (
        with_extra(put_back("shipment_lines", "1", "ShippedQuantity", "oracle_fusion.shipment_lines.update")),
        {33},
    ),
    "an order for another purchase order": (
        with_extra(lambda play: play.order(number="SO-NBR-50012", purchase_order="CA-PO-77999"), before="row"),
        {33},
    ),
    "a cell outside the row": (with_extra(lambda play: play.register(("x",), row=22)), {33}),
    "a price changed": (
        with_extra(
            change(
                "items",
                "300001",
                f"UPDATE items SET ListPrice = {units('0.80')} WHERE ItemId = 300001",
                "oracle_fusion.items.update",
            )
        ),
        {34},
    ),
    "a price changed and put back": (
        with_extra(put_back("items", "300001", "ListPrice", "oracle_fusion.items.update")),
        {34},
    ),
    "a post to another channel": (
        with_extra(lambda play: play.post(channel="#general", key="P2"), before="post back"),
        {31, 34},
    ),
    "a post to another channel, read back": (
        lambda stage: stage.oracle(
            post=then(lambda play: play.post(), lambda play: play.post(channel="#general", key="P2")),
            post_back=read(("posts", f"POST-{TASK}"), ("posts", "P2")),
        ),
        {34},
    ),
    "a draft to a stranger": (replaced(draft=lambda play: play.draft(recipient="x@stranger.example")), {34}),
    "an unreviewed post refused": (
        with_extra(
            lambda play: play.call("slack.chat_postMessage", outcome="refused", arguments={"review_status": "sent"})
        ),
        {33, 34},
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_fails_exactly_what_it_should(stage: Stage, name: str) -> None:
    steps, failing = MUTANTS[name]
    assert set(stage.grade(steps(stage)).failed) == failing


def test_every_criterion_has_a_mutant() -> None:
    assert {number for _, failing in MUTANTS.values() for number in failing} == set(range(1, 35))


HARMLESS: dict[str, Mutant] = {
    "a call of invalid shape": with_extra(
        lambda play: play.call("oracle_fusion.sales_orders.create", outcome="invalid")
    ),
    "a post that lacks its review status": with_extra(
        lambda play: play.call("slack.chat_postMessage", outcome="invalid", arguments={"channel": "#ops-nbr"})
    ),
    "a cell of another row written and cleared again": with_extra(
        then(
            lambda play: play.register(("x",), row=22),
            change(
                "cells",
                "Register!A22",
                "DELETE FROM cells WHERE cell = 'Register!A22'",
                "google_sheets.spreadsheets.values.update",
            ),
        )
    ),
    "a status told apart from another": replaced(
        post=lambda play: play.post(text=f"Order no. {ORDER}: not submitted on Friday, submitted today")
    ),
    "escaped markdown": replaced(draft=lambda play: play.draft(body=BODY.replace("_", "\\_"))),
    "a tool nobody knows": with_extra(lambda play: play.call("oracle_fusion.banks.list", outcome="unknown_tool")),
    "lines in another order": replaced(order=lambda play: play.order(lines=LINES[::-1])),
    "numbers as text in the register": replaced(
        row=lambda play: play.register((ORDER, OPTION, "5", "3", "3,160", "$2,757.60", "2", BATCH))
    ),
    "5.0 for a count": replaced(submission=lambda play: play.submit(accepted_lines=5.0)),
    "brief instead of mail": replaced(request=read(("drive_content", "FILE-NBR-TASK-BRIEF"))),
    "source map instead of listing and memo": lambda stage: stage.oracle(
        drop=["authority"], batch_listed=read(("drive_content", "FILE-NBR-SOURCE-MAP"))
    ),
    "decision recorded twice": lambda stage: stage.oracle(
        decision=then(lambda play: play.decide(status="not_imported"), lambda play: play.decide())
    ),
    "earlier batch cited as proof": replaced(decision=lambda play: play.decide(refs=(BATCH, OLD_BATCH, AUTHORITY))),
    "draft in other words": replaced(
        draft=lambda play: play.draft(
            body=f"Import the accepted lines at current list prices and submit the order ({ORDER}).\n"
            "| accepted | 5 |\n| rejected | 3 |\n| units | 3.160 |\n| total | 2 757,60 USD |\n| duplicates | 2 |"
        )
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_legitimate_variation_stays_strict(stage: Stage, name: str) -> None:
    verdict = stage.grade(HARMLESS[name](stage))
    assert (verdict.failed, verdict.score, verdict.strict) == ((), 100, True)
