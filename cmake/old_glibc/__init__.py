"""Checks of what is linked. See README.md."""
