"""Fuzzing of the graph loader of the generated programs; `make fuzz` runs it."""
