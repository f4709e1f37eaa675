"""JSON and YAML exports.

In: plain data that may hold Decimals, dates, tuples and mappings. Out: UTF-8 bytes, keys in the order given. Decimals
become numbers (2757.60 as 2757.6); dates are ISO text in JSON and dates in YAML.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import yaml

from generator.evidence.model import Document, JsonData, YamlData
from generator.evidence.values import iso_z, utc
from generator.spec.errors import EvidenceError

YAML_WIDTH = 100


class _Dumper(yaml.SafeDumper):
    """Indents lists under their key, and repeats a value instead of referring to it by an anchor."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def plain(value: Any, document: Document, iso_dates: bool) -> Any:
    """The value in the types that json and yaml know. Raises EvidenceError for a type or number they cannot hold."""
    match value:
        case None | bool() | int() | str():
            return value
        case Decimal():
            return _number(value, document)
        case dt.datetime():
            moment = value if value.tzinfo is None else utc(document, value)
            return iso_z(moment) if iso_dates else moment
        case dt.date():
            return value.isoformat() if iso_dates else value
        case Mapping():
            return {_key(key, document): plain(item, document, iso_dates) for key, item in value.items()}
        case Sequence():
            return [plain(item, document, iso_dates) for item in value]
    raise EvidenceError(f"{document.name}: expected plain data, came {type(value).__name__} {value!r}")


def _key(key: Any, document: Document) -> str:
    if not isinstance(key, str):
        raise EvidenceError(f"{document.name}: expected a text as key, came {key!r}")
    return key


def _number(value: Decimal, document: Document) -> int | float:
    if value == value.to_integral_value():
        return int(value)
    if Decimal(repr(float(value))) != value:
        raise EvidenceError(f"{document.name}: {value} has more digits than a JSON number keeps")
    return float(value)


def json_bytes(document: Document, body: JsonData) -> bytes:
    """Indented by two, letters as they are, one \\n at the end."""
    return (json.dumps(plain(body.value, document, iso_dates=True), indent=2, ensure_ascii=False) + "\n").encode()


def yaml_bytes(document: Document, body: YamlData) -> bytes:
    """The comment lines, then the data in block style."""
    comment = "".join(f"# {line}".rstrip() + "\n" for line in body.comment)
    data = yaml.dump(
        plain(body.value, document, iso_dates=False),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=YAML_WIDTH,
    )
    return (comment + data).encode()
