"""The DOG gateway: unmodified students' games play here, over five HTTP paths that they ask once a second.

DOG ("Doing Online Games") is the match server of software-engineering courses in Brazil. Its client library posts forms
to `player/`, `start/`, `started/`, `move/` and `match/`, and evaluates what it gets as Python. From the outside in:

    service.py    builds it all
    routes.py     ASGI: which path, the form, noticing that a caller has gone; answers well-formed whatever happens
    gateway.py    what each path does
    holding.py    answers that are held until there is something to tell
    page.py       the page at /dog/: the line to copy, who waits, who plays whom
    presence.py   who called when
    sweep.py      who has not called for the grace time is gone, and the others are told
    tables.py     matches of the relay game: entries in, the next one for a player out, cursors
    book.py       halls in the store, replaced by compare and set
    halls.py      who is registered and paired with whom, as frozen values
    aliases.py    ids as each player sees them: nobody is told another's own
    wire.py       forms, moves and answers: what goes in is checked data, what goes out is built here
"""
