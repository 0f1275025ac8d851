"""Sweeps: on this machine, or by the workers of a Dask cluster."""
