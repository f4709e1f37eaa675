#!/bin/bash
# {{ task.canary }}
# The reference solution: the calls of plan.json, in order, over MCP as any agent would make them.
set -euo pipefail
exec python3 -I /solution/run_plan.py /solution/plan.json
