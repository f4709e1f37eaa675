"""`python -m tests.fuzz TARGET --seconds N`: coverage-guided fuzzing of the verifier, with atheris.

In: the name of a target. Out: exit code 0 where nothing was found; else the input that breaks the target, in the folder
of --out, and a code that is not 0. With --seed the run is the same again.
"""

import argparse
import sys
from pathlib import Path

import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

with atheris.instrument_imports(include=["verifier"]):
    from tests.fuzz.seeds import SEEDS
    from tests.fuzz.targets import TARGETS

MEMORY_MB = 400
LONGEST_SECONDS = 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the verifier.")
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder for the corpus and for what breaks the target")
    options = parser.parse_args()
    corpus = options.out / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[options.target]):
        (corpus / f"seed-{number:02d}").write_bytes(seed)
    limits = [
        f"-max_total_time={options.seconds}", f"-seed={options.seed}", f"-rss_limit_mb={MEMORY_MB}",
        f"-timeout={LONGEST_SECONDS}", f"-artifact_prefix={options.out}/", "-max_len=4096", "-print_final_stats=1",
        "-verbosity=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *limits, str(corpus)], TARGETS[options.target](), internal_libfuzzer=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
