"""How strong the computer is: `make strength`, and what it is weighed against.

`contest` plays and counts; `openspiel`, `samuel`, `dab` and `montecarlo` are opponents. The first three are programs of
others: they are installed by name by who wants to play against them, and nothing of them is in this repository.
"""
