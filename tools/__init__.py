"""Scripts for building and checking this repository. See README.md."""
