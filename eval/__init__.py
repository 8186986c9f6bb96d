"""Measures Yieldpoint on real programs. See README.md."""
