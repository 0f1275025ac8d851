"""Expands the style space into standalone CUDA, OpenMP and C++ programs."""
