#!/bin/bash
set -euo pipefail
exec python3 -I /tests/verify.py
