"""The trust page: what was proved in this run, by whom it was checked, and what has to be trusted in the end."""
