"""What the measurements say: pairs of programs that differ in one style, their throughput ratios, and figures of them.

The layers, each a plain function of a DataFrame: `records` loads results, `pairs` matches programs, `statistics`
summarises ratios, `ratios` draws them; `comparisons` is the table of what is compared with what.
"""
