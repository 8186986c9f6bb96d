"""Tests of the agent in real JVMs. See README.md."""
