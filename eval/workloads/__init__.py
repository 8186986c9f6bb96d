"""Real programs from Debian packages with verified results. See README.md."""
