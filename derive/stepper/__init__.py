"""Stepping through a proof, one line at a time: in the terminal, or as one self-contained page."""
