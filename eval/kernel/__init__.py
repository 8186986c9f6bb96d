"""A program that does little but call, to measure the cost of a call. See eval/README.md."""
