"""A Case in; the task contract, the gold contract, the oracle plan, the evidence room and the task directory out."""
