"""Proofs: terms, a small kernel that is the only maker of theorems, and what is built on them."""
