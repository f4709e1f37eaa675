"""Programs under measurement: their time, their memory with all that they start, and a server's start."""

import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from generator.bench.figures import BenchError
from generator.bench.processes import (
    family_of,
    free_port,
    is_healthy,
    memory_of,
    processor_of,
    run_of,
    serving,
    watch,
)

HOLD_60_MB = "b = bytearray(60_000_000); import time; time.sleep(0.3)"


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-S", "-c", code, *arguments]


def test_seconds_are_the_clocks_and_processor_time_is_its_own() -> None:
    run = run_of(python("import time; time.sleep(0.4); print('done')"))
    assert 0.4 <= run.seconds < 5
    assert run.processor < 0.4
    assert run.output == "done\n"


def test_a_command_that_fails_is_an_error_with_its_last_line() -> None:
    with pytest.raises(BenchError, match=r"ended with 3: no tenants$"):
        run_of(python("import sys; print('a\\nno tenants', file=sys.stderr); sys.exit(3)"))
    with pytest.raises(BenchError, match=r"ended with 1: SystemExit|ended with 1: gone"):
        watch(python("import sys; sys.exit('gone')"))


def test_the_peak_is_that_of_the_process_with_its_children() -> None:
    alone = watch(python(HOLD_60_MB)).peak / 1e6
    assert 60 <= alone < 90
    child = "import subprocess, sys; c = subprocess.Popen([sys.executable, '-S', '-c', sys.argv[1]]); "
    both = watch(python(child + HOLD_60_MB + "; c.wait()", HOLD_60_MB)).peak / 1e6
    assert 120 <= both < 180


def test_processor_time_is_that_of_the_process_with_its_children() -> None:
    burn = "import time\nwhile time.process_time() < 0.4: pass"
    child = "import subprocess, sys; subprocess.Popen([sys.executable, '-S', '-c', sys.argv[1]]).wait()\n"
    assert 0.75 <= watch(python(child + burn, burn)).processor < 1.2


def test_a_process_and_its_memory() -> None:
    assert family_of(os.getpid())[0] == os.getpid()
    assert memory_of(os.getpid(), "VmHWM") >= memory_of(os.getpid(), "VmRSS") > 10_000_000
    assert processor_of(os.getpid()) > 0


def test_a_process_that_has_ended_has_no_memory() -> None:
    gone = 2**22 + 1  # beyond the highest process number
    assert memory_of(gone, "VmHWM") == 0
    with pytest.raises(BenchError, match="has ended"):
        processor_of(gone)


class Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        return


@pytest.fixture
def healthy_port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Health)
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_healthy_is_an_answer_of_200(healthy_port: int) -> None:
    assert is_healthy(healthy_port)
    assert not is_healthy(free_port())


def test_a_server_that_ends_before_it_is_healthy_is_an_error() -> None:
    with (
        pytest.raises(BenchError, match=r"not healthy within 30 s: .*ended with 2: no seed"),
        serving(python("import sys; print('no seed', file=sys.stderr); sys.exit(2)"), free_port(), os.environ),
    ):
        pytest.fail("it was taken as healthy")
