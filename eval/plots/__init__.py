"""Plots as SVG, from Python's library alone."""
