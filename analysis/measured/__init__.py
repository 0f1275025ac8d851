"""What was measured, as tables: jobs, sessions and graphs."""
