"""Searches: each algorithm is a kernel of its own file; `methods` is what people call."""
