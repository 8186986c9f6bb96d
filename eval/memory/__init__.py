"""The memory that a recording takes. See eval/README.md."""
