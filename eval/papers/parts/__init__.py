"""What reports share: which recordings they take, and the papers' numbers."""
