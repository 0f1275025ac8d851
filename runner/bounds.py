"""The largest numbers that commands take; light, as the command line shows them."""

MOST_THREADS = 4096
"""As many as programs take, `most_threads` of their runtime."""

MOST_COUNT = 2**31 - 1
"""The largest number that they take for what is counted: an int."""

MOST_REPS = 20_000
"""As many timed repetitions as surely fit the report of a program, of at most `MAX_STDOUT` bytes."""

MOST_SECONDS = 10**9
"""More than anybody waits; infinity is none, as records are JSON."""
