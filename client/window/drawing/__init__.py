"""How a picture is made and drawn: shapes, fonts and their letters, colours, and the canvas, alone with pygame."""
