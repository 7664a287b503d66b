"""Answers: reading what somebody typed, and judging it against the right value, without ever guessing."""
