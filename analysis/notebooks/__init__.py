"""What only notebooks call; the notebooks are beside it."""
