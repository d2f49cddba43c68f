"""Who is there: identity, names, who is online, and who is at which match.

May import `rooms` and what lies below.
"""
