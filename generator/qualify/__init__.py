"""Episodes in process: the same world and the same verifier as in the containers, without the containers."""
