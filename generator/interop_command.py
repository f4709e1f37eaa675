"""`erpbench interop`: other projects load the dataset. In: a rendered dataset. Out: dist/interop/ and an exit code."""

import os
from pathlib import Path

from generator.images.definition import PROJECT_ROOT
from generator.interop.consumers import chosen_consumers
from generator.interop.report import build_table, problems, write_report
from generator.interop.run import InteropRequest, expected_tasks, interpreter, run_consumer
from generator.qualify.console import wide_console

ENVIRONMENTS = "ERPBENCH_ENVIRONMENTS"


def interop_command(names: tuple[str, ...], dataset: Path, out: Path) -> int:
    """Let each consumer load the dataset, print and write the table; 0 only if each read every task as it stands.

    Raises InteropError if one is not installed, before any is run. The environments are looked for in the project's
    folder, or in that of ERPBENCH_ENVIRONMENTS.
    """
    console = wide_console()
    consumers = chosen_consumers(names)
    request = InteropRequest(dataset, Path(os.environ.get(ENVIRONMENTS) or PROJECT_ROOT))
    for consumer in consumers:
        interpreter(consumer, request.environments)
    entry, sources = expected_tasks(request)
    results = []
    for consumer in consumers:
        console.print(f"interop: {consumer.name} …", highlight=False)
        results.append(run_consumer(consumer, request, entry, sources))
    write_report(results, out)
    console.print(build_table(results))
    for result in results:
        for line in problems(result):
            console.print(f"interop: {line}", highlight=False, markup=False)
    complete = sum(result.complete for result in results)
    console.print(f"interop: {complete} of {len(results)} consumers load {request.tasks} tasks; {out}", highlight=False)
    return 0 if complete == len(results) else 1
