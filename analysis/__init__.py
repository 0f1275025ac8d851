"""What the measurements say: pairs of programs that differ in one style, their throughput ratios, and figures of them.

Packages, from the ground up: `measured`, `compared`, then `judged` and `drawn`, then `told`; each is plain functions of
DataFrames.
"""
