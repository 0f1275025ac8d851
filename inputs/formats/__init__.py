"""Graph files: one module a format, one registry that knows them all."""
