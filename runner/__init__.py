"""Builds, runs, verifies and times the generated programs, and records every result so that a sweep can resume."""
