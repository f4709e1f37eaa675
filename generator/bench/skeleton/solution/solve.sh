#!/bin/bash
# The change that the instruction asks for, and a look at the result.
set -euo pipefail
call() {
  curl -fsS -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
    -H 'mcp-protocol-version: 2025-06-18' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":$1}" \
    'http://world:8000{{ path }}'
}
call '{"name":"items_update","arguments":{"item":"B-2","status":"Inactive"}}'
call '{"name":"items_list","arguments":{"organization":"BENCH"}}'
