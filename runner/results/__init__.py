"""A results folder: records, sessions, what it holds and what is left to do."""
