"""The search for the fastest programs of a graph."""
