"""Computer players: they think in a process of their own and move through the same door as everybody else."""
