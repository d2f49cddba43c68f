"""How much one may ask for: limits and rates, and what outlives a connection.

May import nothing of the hub but `metrics`.
"""
