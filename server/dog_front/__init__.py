"""`dog-front`: a tiny process that holds the connections of students' programs while their hub is away.

The library that those programs carry falls silent for good once a connection of its was refused or broken off. So they
are connected to this process, which hands each call on to the hub, and which lives on when the hub is stopped, killed
or started anew: polls find nothing yet meanwhile, and moves wait. All that it knows is where the hub is.

    launch.py    what a hub does to have one: start it, or take over the one that is there
    __main__.py  the process
    front.py     connections: one call each, handed on until it is answered
    calls.py     what a call is and what it is answered when the hub is away; pure
"""
