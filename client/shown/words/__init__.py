"""What is said, made once for every front end: rows, times, statuses, endings. Reads the model."""
