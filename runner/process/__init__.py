"""Processes: started under limits, watched, and ended with all that they started."""
