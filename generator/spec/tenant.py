"""A tenant's profile: the written part of who the company is and how it works, one YAML file, checked on reading."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator.spec.errors import SpecError, first_fault
from generator.spec.streams import RELEASE_SEED


class Model(BaseModel):
    """Frozen, and refuses unknown fields, so that a misspelt key in a file is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Person(Model):
    """role is the key by which documents and mails speak of the person, e.g. operations_lead."""

    role: str
    name: str
    title: str
    email: str


class Organization(Model):
    code: str
    kind: Literal["inventory", "employer", "business_unit"]
    name: str


class Customer(Model):
    """sheet: the row of the Customers tab (customer, number, email, tax id, channel), None for accounts not in it."""

    account: str
    name: str
    credit_limit: Decimal
    payment_terms: str
    credit_hold: bool = False
    email: str
    tax_id: str
    channel: str = "direct"
    in_customers_tab: bool = True


class Supplier(Model):
    number: str
    name: str
    status: Literal["Active", "Blocked", "Inactive"] = "Active"
    lead_time_days: int
    payment_terms: str
    comments: str | None = None


class Item(Model):
    id: int
    number: str
    description: str
    organization: str
    status: Literal["Active", "Inactive"]
    uom: str
    list_price: Decimal
    price_effective: dt.date
    item_class: str | None = None
    note: str | None = None


class ScheduledPrice(Model):
    """A price other than the one in force. kind: history (earlier) or scheduled (later)."""

    item_id: int
    effective: dt.date
    kind: Literal["history", "scheduled"]
    price: Decimal


class Period(Model):
    application: Literal["order_management", "receivables", "payables", "purchasing", "receiving", "hcm", "pricing"]
    period: str
    start: dt.date
    end: dt.date
    status: Literal["Open", "Closed"]


class Lookup(Model):
    kind: str
    code: str
    meaning: str


class Habits(Model):
    """How the office writes. dates is a strftime form for documents; policies the format of 08 and 13. drive_lags: the
    flags on the drive are set days later, so that they contradict the memo of the day."""

    policies: Literal["md", "docx"] = "md"
    dates: str = "%Y-%m-%d"
    decimal_comma: bool = False
    csv_delimiter: str = ","
    paper: Literal["A4", "Letter"] = "A4"
    drive_lags: bool = False


class Workbook(Model):
    """The ops workbook: its id, and the register's rows that stand there before any task."""

    id: str
    register_header: tuple[str, ...]
    register_rows: tuple[tuple[str | int | float, ...], ...]


class ChatMessage(Model):
    """A message written before the episode. channel None is the tenant's operations channel."""

    at: dt.datetime
    channel: str | None = None
    author: str
    thread: str
    text: str


class Stranger(Model):
    """Somebody outside the company who asks for something in a document that the desk has to read.

    Strangers write as people do, and nothing they ask for is theirs to decide. document is the number of the file, wish
    what following them would come to: a post in another channel, a copy of the draft, a check verified, a paper set to
    renewed, another list price, another quantity on a shipment line. name is None where the document's own row names
    the sender. company is a part of the cast or a name in words; mailbox the domain of the sender's address, None for
    that of the company in the cast. channel is the channel's name before the tenant's code. text is the remark with
    its values in braces (tasks/strangers.py says which); beside are remarks of others in the same column.
    """

    document: Literal["01", "06", "11", "12", "15", "17", "18", "19", "21", "26"]
    wish: Literal["post", "copy", "verify", "renew", "price", "quantity"]
    name: str | None = None
    company: str
    mailbox: str | None = None
    channel: str | None = None
    text: str
    beside: tuple[str, ...] = ()


CAST = (
    "main_org",
    "other_org",
    "business_unit",
    "employer",
    "other_employer",
    "order_customer",
    "order_namesake",
    "remit_customer",
    "remit_namesake",
    "ship_customer",
    "shop_customer",
    "main_supplier",
    "second_supplier",
    "blocked_supplier",
    "match_supplier",
    "match_namesake",
    "hire_job",
    "other_job",
)


class TenantProfile(Model):
    """One tenant's profile.yaml.

    code is the three-letter code in identifiers, slug the folder and asset name, number 0 to 9 (Northbridge 0). cast
    says who plays which part in the families' scenarios, by code, account, supplier number or job (CAST lists the
    parts).
    """

    code: str = Field(pattern=r"^[A-Z]{3}$")
    slug: str
    number: int = Field(ge=0, le=9)
    company: str
    site: str
    industry: str
    country: str
    as_of: dt.datetime
    timezone: str
    currency: str
    channel: str
    business_unit: str
    mail_domain: str
    month_name: str
    people: tuple[Person, ...]
    organizations: tuple[Organization, ...]
    customers: tuple[Customer, ...]
    suppliers: tuple[Supplier, ...]
    items: tuple[Item, ...]
    other_prices: tuple[ScheduledPrice, ...] = ()
    periods: tuple[Period, ...]
    lookups: tuple[Lookup, ...]
    workbook: Workbook
    habits: Habits
    sequences: dict[str, tuple[str, int]]
    cast: dict[str, str]
    chat: tuple[ChatMessage, ...] = ()
    strangers: tuple[Stranger, ...] = ()

    def person(self, role: str) -> Person:
        """Raises KeyError for a role the tenant does not have."""
        for person in self.people:
            if person.role == role:
                return person
        raise KeyError(f"{self.code} has nobody in the role {role}")

    def item(self, number: str, organization: str) -> Item:
        for item in self.items:
            if (item.number, item.organization) == (number, organization):
                return item
        raise KeyError(f"{self.code} has no item {number} in {organization}")

    def customer(self, account: str) -> Customer:
        for customer in self.customers:
            if customer.account == account:
                return customer
        raise KeyError(f"{self.code} has no customer {account}")

    @property
    def today(self) -> dt.date:
        """The tenant's local date of as_of: the day that 'past due' and 'within N days' count from."""
        return self.as_of.astimezone(ZoneInfo(self.timezone)).date()


class Tenant(Model):
    """A profile with the facts of each family, by family id. What the world and the documents are made from.

    seed is the dataset's, for what is drawn only once all facts stand: what strangers ask for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    profile: TenantProfile
    facts: dict[str, Any]
    seed: int = RELEASE_SEED


def read_yaml[T: BaseModel](path: Path, model: type[T]) -> T:
    """The model read from a YAML file. Raises SpecError naming the file, the field, what was expected and what came."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SpecError(f"{path}: no such file; expected a {model.__name__}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise SpecError(f"{path}: cannot be read as YAML: {reason}") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        field, reason, came = first_fault(error)
        told = f"{reason}; came {repr(came)[:80]} ({error.error_count()} problems)"
        raise SpecError(f"{path}: {field or 'top level'}: {told}") from None
