"""The roster of one shift against leave, swaps and work reports."""

from generator.families.base import Family
from generator.families.shift_rollup import documents, records, sources
from generator.families.shift_rollup.draw import SLOTS, draw
from generator.families.shift_rollup.facts import Facts
from generator.families.shift_rollup.outcome import outcome
from generator.families.shift_rollup.task import TASK

FAMILY = Family(
    id="shift_rollup",
    number=7,
    title="Shift report roll-up",
    facts=Facts,
    records=records.records,
    documents=documents.documents,
    mail=documents.mail,
    chat=documents.chat,
    log=documents.log,
    sources=sources.sources,
    task=TASK,
    outcome=outcome,
    draw=draw,
    slots=SLOTS,
)
