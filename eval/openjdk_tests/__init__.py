"""OpenJDK's own tests with the project's own compiler. See eval/README.md."""
