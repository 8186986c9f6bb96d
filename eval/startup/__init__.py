"""The time before a program's own work begins. See eval/README.md."""
