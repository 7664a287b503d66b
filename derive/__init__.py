"""Derive: mathematics found with SymPy, proved line by line, and printed as exercise sheets."""

__version__ = "0.1.0"
