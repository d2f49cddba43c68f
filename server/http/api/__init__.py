"""The HTTP API under `/api` (`CK R5` to `R8`): every game, over the same service as the sockets.

A request becomes a command and is carried out by `Service.perform`, for an `Errand`: a viewer that lives as long as
the request and keeps what it is sent. Whoever plays by HTTP is here by a `Stay`, a viewer that follows the match from
one request to the next (`viewers.py`). So rules, rights, refusals and what is told are those of the sockets.
"""
