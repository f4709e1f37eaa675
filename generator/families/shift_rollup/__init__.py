"""The roster of one shift against leave, swaps and work reports."""

from generator.families.base import Family
from generator.families.shift_rollup import documents, records, sources
from generator.families.shift_rollup.facts import Facts

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
)
