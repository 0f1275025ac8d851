"""Measurements of Violet itself."""
