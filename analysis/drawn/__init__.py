"""Figures, as files."""
