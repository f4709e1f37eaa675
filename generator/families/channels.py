"""Messages of the channels by the number under which the world keeps them.

In: a case and a message that people wrote before the episode. Out: the key of its row in slack_messages.
"""

import generator.families
from generator.spec.case import Case
from generator.spec.tenant import ChatMessage


def message_number(case: Case, message: ChatMessage) -> str:
    """Messages are counted from 1 in order of time, the tenant's own before the families' at the same moment.

    The two messages about the task come last: they are of the moment of the request. Raises ValueError for a message
    that nobody wrote.
    """
    tenant = case.tenant
    written = list(tenant.profile.chat)
    for family in generator.families.FAMILIES:
        written.extend(family.chat(tenant, tenant.facts[family.id]))
    return str(sorted(written, key=lambda one: one.at).index(message) + 1)
