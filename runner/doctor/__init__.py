"""What `make doctor` checks."""
