"""Two hundred connections at once, ten thousand calls: each answer is held against what that very call must answer."""

import http.client
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from erpbench_world import trace

from tests.attack_table import Seen
from tests.world_fixture import TASK, build_database
from tests.world_process import HEADERS, Process, call_body

CONNECTIONS = 200
CALLS = 50
ITEMS = 500
MEMORY = 120 * 10**6


class Client(threading.Thread):
    """One kept connection; every fifth call writes, the others read an item that no other connection reads then."""

    def __init__(self, port: int, place: int, start: threading.Barrier) -> None:
        super().__init__()
        self.port, self.place, self.start_together = port, place, start
        self.wrong: list[str] = []
        self.drafts: dict[str, str] = {}

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.connect()
        self.start_together.wait()
        try:
            for number in range(CALLS):
                if number % 5 == 4:
                    self.write(connection, f"{self.place}/{number}")
                else:
                    self.read(connection, (self.place * CALLS + number) % ITEMS)
        except (OSError, http.client.HTTPException) as error:
            self.wrong.append(repr(error))
        connection.close()

    def read(self, connection: http.client.HTTPConnection, item: int) -> None:
        came = self.call(connection, "oracle_fusion", "items_list", {"q": f"ItemNumber='ITEM-{item}'"})
        shown = [(row["ItemId"], row["ListPrice"]) for row in came["items"]]
        if came["count"] != 1 or shown != [(item, item * 0.25)]:
            self.wrong.append(f"item {item}: {came}")

    def write(self, connection: http.client.HTTPConnection, subject: str) -> None:
        draft = {"task_id": TASK, "to": "lee@company.example", "subject": subject, "body": "b"}
        came = self.call(connection, "gmail", "drafts_create", draft)
        if came["message"] != {"labelIds": ["DRAFT"], "subject": subject, "to": "lee@company.example"}:
            self.wrong.append(f"draft {subject}: {came}")
        self.drafts[came["id"]] = subject

    def call(self, connection: http.client.HTTPConnection, server: str, tool: str, arguments: dict[str, Any]) -> Any:
        connection.request("POST", f"/mcp/{server}", call_body(tool, arguments, self.place), HEADERS)
        answer = connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise http.client.HTTPException(f"status {answer.status}: {data[:100]!r}")
        came = json.loads(data)
        if came["id"] != self.place:
            self.wrong.append(f"connection {self.place} got the answer to {came['id']}")
        return json.loads(came["result"]["content"][0]["text"])


@pytest.mark.attack(
    "world", "10,000 calls over 200 connections at once", expected="each answered right and traced", flaw=7
)
def test_ten_thousand_calls_over_200_connections(tmp_path: Path, seen: Seen) -> None:
    item = {"OrganizationCode": "NBR1", "ItemStatusValue": "Active", "PrimaryUOMValue": "EA"}
    items = [{**item, "ItemId": n, "ItemNumber": f"ITEM-{n}", "ListPrice": n * 2500} for n in range(ITEMS)]
    data = tmp_path / "data"
    with Process(build_database(tmp_path / "seed.sqlite", {"items": items}), data) as world:
        together = threading.Barrier(CONNECTIONS)
        clients = [Client(world.port, place, together) for place in range(CONNECTIONS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join(600)
        peak, errors = world.peak, world.errors
    wrong = [problem for client in clients for problem in client.wrong]
    assert wrong == []
    assert errors == ""
    drafts = {id: subject for client in clients for id, subject in client.drafts.items()}
    db = sqlite3.connect(data / "world.sqlite")
    rows = db.execute("SELECT * FROM trace ORDER BY idx").fetchall()
    assert dict(db.execute("SELECT id, subject FROM drafts")) == drafts
    db.close()
    assert len(drafts) == CONNECTIONS * CALLS // 5 == 2000
    assert [row[0] for row in rows] == list(range(1, 10_001))
    assert {row[4] for row in rows} == {"ok"}
    chain = trace.NO_CHAIN
    for row in rows:
        chain = trace.link(chain, *row[:-1])
        assert row[-1] == chain
    seen(f"10,000 answers as expected, 10,000 rows in order, {peak / 10**6:.0f} MB at most")
    assert peak < MEMORY
