"""The command `violet`: all that Violet does, under one name."""
