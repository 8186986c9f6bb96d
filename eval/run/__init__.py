"""Runs evaluations that a plan declares. See README.md."""
