"""Parts of the build. See old_glibc/README.md."""
