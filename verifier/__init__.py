"""The verifier: grades the snapshot of one episode against a task's gold contract.

Standard library and sqlite3 only. It interprets the contract's checks and knows nothing about ERP: contract, baseline,
snapshot and manifest reach it as JSON and SQLite files.
"""
