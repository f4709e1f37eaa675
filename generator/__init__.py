"""ERPBench-100's generator: tenant profiles and scenarios in, Harbor tasks out (see README, "How the data flows")."""
