"""Figures that can be measured again by `make bench`: CPU for a fixed piece of work, memory, ratios of one run."""
