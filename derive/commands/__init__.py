"""One module for each command; what is heavy is imported inside the functions."""
