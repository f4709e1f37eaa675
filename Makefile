# One job a target. `make` alone lists them. Every environment is made from a hashed lock in locks/ and renewed when the
# lock changes; a stamp file beside it remembers that.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

ERPBENCH := .venv/bin/erpbench
PYTHON := .venv/bin/python
TASKS ?= all
AGENT ?= oracle
N ?= 2
SOURCES := generator verifier images templates tests

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | awk -F'\t' '{printf "  %-12s %s\n", $$1, $$2}'

.venv/core.stamp: locks/core.lock scripts/install-lock
	@scripts/install-lock .venv core
.venv/project.stamp: .venv/core.stamp scripts/link-project
	@scripts/link-project
.venv/dev.stamp: locks/dev.lock .venv/project.stamp
	@scripts/install-lock .venv dev
.venv/images.stamp: locks/images.lock .venv/project.stamp
	@scripts/install-lock .venv images
.venv-harbor/harbor.stamp: locks/harbor.lock scripts/install-lock
	@scripts/install-lock .venv-harbor harbor

.PHONY: setup
setup: .venv/dev.stamp .venv/images.stamp ## the environment for development (.venv)

.PHONY: dataset
dataset: .venv/project.stamp ## render the 100 tasks into harbor_tasks/
	@$(ERPBENCH) dataset

.PHONY: test
test: setup ## ruff, mypy --strict and the tests that need no engine, but for those of make attack alone
	@$(PYTHON) -m ruff check $(SOURCES)
	@$(PYTHON) -m mypy
	@$(PYTHON) -m pytest -m "not engine" --ignore=tests/attack -n 2 --dist loadfile

.PHONY: coverage
coverage: setup ## branch coverage: verifier at least 98 %, world at least 90 %
	@$(PYTHON) -m pytest -n 2 tests/test_verifier*.py tests/attack/test_verifier_files.py \
	  tests/attack/test_verifier_schema.py tests/attack/test_verifier_pages.py --cov=verifier --cov-branch \
	  --cov-fail-under=98 --cov-report=term-missing:skip-covered
	@$(PYTHON) -m pytest -n 2 --dist loadfile tests/test_world*.py tests/test_replay*.py --cov=erpbench_world --cov-branch \
	  --cov-fail-under=90 --cov-report=term-missing:skip-covered

.PHONY: harbor
harbor: .venv-harbor/harbor.stamp ## the pinned Harbor, in an environment of its own (.venv-harbor)

.PHONY: images
images: .venv/images.stamp ## build the container images whose inputs changed
	@$(ERPBENCH) images build

.venv-audit/audit.stamp: locks/audit.lock scripts/install-lock
	@scripts/install-lock .venv-audit audit

.PHONY: sbom
sbom: .venv/images.stamp ## a bill of materials for each image, in dist/sbom/
	@$(ERPBENCH) images sbom

.PHONY: pip-audit
pip-audit: .venv/images.stamp .venv-audit/audit.stamp ## ask a service for known vulnerabilities of all that the locks pin
	@$(ERPBENCH) images audit

.PHONY: oracle
oracle: .venv/images.stamp harbor ## run TASKS=all with AGENT=oracle (or nop) in the real Harbor, N=2 at once
	@$(ERPBENCH) oracle --tasks "$(TASKS)" --agent "$(AGENT)" -n "$(N)" $(ARGS)

.PHONY: audit
audit: .venv/project.stamp ## derive gold a second time, in SQL, from the rendered evidence
	@$(ERPBENCH) audit --tasks "$(TASKS)"

.PHONY: lint
lint: .venv/project.stamp harbor ## check the rendered task directories with harbor lint and our own rules
	@$(ERPBENCH) lint --tasks "$(TASKS)"

.PHONY: e2e
e2e: setup harbor ## the tests on real containers (needs make dataset and make images)
	@$(PYTHON) -m pytest -m engine tests/e2e

.PHONY: bench
bench: .venv/images.stamp ## measure time, memory and size beside their goals (ARGS=--harbor for trials too)
	@$(ERPBENCH) bench $(ARGS)

.PHONY: qualify
qualify: .venv/project.stamp ## play every kind of episode on TASKS=all in process and report (needs make dataset)
	@$(ERPBENCH) qualify --tasks "$(TASKS)" $(ARGS)

.PHONY: attack
attack: setup harbor ## attack containers, world, verifier and scoring; a table of what held (needs make images)
	@$(ERPBENCH) attack $(ARGS)

.venv-release/release.stamp: locks/release.lock scripts/install-lock
	@scripts/install-lock .venv-release release

.PHONY: release-env
release-env: .venv-release/release.stamp ## datasets, mlcroissant and huggingface_hub, in an environment of their own

.PHONY: release
release: .venv/images.stamp release-env ## build dist/huggingface and dist/harbor of a clean tree and load them back
	@$(ERPBENCH) qualify
	@$(ERPBENCH) release --check $(ARGS)

.venv-interop-inspect/interop-inspect.stamp: locks/interop-inspect.lock scripts/install-lock
	@scripts/install-lock .venv-interop-inspect interop-inspect
# The loaders' environments lack what loading never imports, on purpose: no dependencies are resolved (locks/interop-*.in).
.venv-interop-verifiers/interop-verifiers.stamp: locks/interop-verifiers.lock scripts/install-lock
	@scripts/install-lock .venv-interop-verifiers interop-verifiers --no-deps
# NeMo Gym asks for Python 3.13.14; its loader runs on 3.12.
.venv-interop-nemo/interop-nemo.stamp: locks/interop-nemo.lock scripts/install-lock
	@scripts/install-lock .venv-interop-nemo interop-nemo --no-deps --ignore-requires-python
INTEROP := .venv-interop-inspect/interop-inspect.stamp .venv-interop-verifiers/interop-verifiers.stamp \
	.venv-interop-nemo/interop-nemo.stamp

.PHONY: interop
interop: .venv/project.stamp harbor $(INTEROP) ## let four tools that people use load the tasks, offline (needs make dataset)
	@$(ERPBENCH) interop $(ARGS)

.PHONY: clean
clean: ## remove what was rendered and built here; environments and images stay
	@rm -rf harbor_tasks/erpbench-[0-9]* harbor_tasks/.building-* harbor_tasks/.replaced-* twin dist build jobs .coverage
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
