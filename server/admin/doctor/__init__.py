"""`parlour-server admin doctor`: whether all is set up as it should be, and what to do about what is not."""
