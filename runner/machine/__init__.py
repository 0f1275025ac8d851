"""Machines: what they are, their compilers, their state while a job runs, and where threads go."""
