"""Theorems for Coq: statements, and a proof for each line in which every inference is one small lemma."""
