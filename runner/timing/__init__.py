"""Timing: one job or a few that share a process, and the verdict on what they report."""
