"""The ten workflow families, in the order of their numbers."""

from importlib import import_module

from generator.families.base import Family

FAMILY_IDS = (
    "order_import",
    "shipment_verification",
    "receivables_collection",
    "inventory_reorder",
    "receiving_ap_match",
    "document_compliance",
    "shift_rollup",
    "channel_order_sync",
    "hire_against_headcount",
    "price_batch",
)

FAMILIES: tuple[Family, ...] = tuple(import_module(f"generator.families.{id}").FAMILY for id in FAMILY_IDS)


def family(id: str) -> Family:
    """Raises KeyError for an id that is no family."""
    return next(family for family in FAMILIES if family.id == id)
