"""What a reader gets: tables, the report with its page, and the document of findings."""
