"""Evidence that verification can be trusted: planted bugs, sanitizers, determinism, mutants and random runs."""
