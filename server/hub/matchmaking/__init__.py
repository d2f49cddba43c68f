"""How a player comes to a match: hosting, joining, being paired; and seats taken by somebody who never came.

May import `presence` and what lies below.
"""
