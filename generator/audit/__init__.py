"""The audit: every task's gold derived a second time, in SQL, from the rendered evidence alone."""
