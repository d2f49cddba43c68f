"""The screens and what lies over them: each shows the model and takes what is done at it."""
