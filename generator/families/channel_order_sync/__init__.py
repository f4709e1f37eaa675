"""Channel order sync: a shop export against the orders already in the system."""

from generator.families.base import Family
from generator.families.channel_order_sync import documents, draw, outcome, records, sources, task
from generator.families.channel_order_sync.facts import Facts

FAMILY = Family(
    id="channel_order_sync",
    number=8,
    title="Channel order sync",
    facts=Facts,
    records=records.records,
    documents=documents.documents,
    mail=documents.mail,
    chat=documents.chat,
    log=documents.log,
    sources=sources.sources,
    task=task.TASK,
    outcome=outcome.outcome,
    draw=draw.draw,
    slots=draw.SLOTS,
)
