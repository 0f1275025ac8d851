"""Jobs: programs, graphs and references, the plan that joins them, and the build."""
