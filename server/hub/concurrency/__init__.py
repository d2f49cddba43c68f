"""How tasks take turns, wait for each other, and end.

May import nothing of the hub but `metrics`.
"""
