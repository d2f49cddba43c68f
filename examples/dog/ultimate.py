"""Ultimate Dots and Boxes with DOG, to begin a game of your own from.

python ultimate.py --name Ana                the program knows the rules, and the server passes moves on
python ultimate.py --name Ana --referee      the server knows the rules; class Rules is not used at all
"""

import argparse
from tkinter import Button, Canvas, Label, Tk

from client.dog import DogActor, DogPlayerInterface, MoveRefused

U, EDGE, NEAR = 50, 25, 20  # pixels: from dot to dot, around the board, and how near a click must be
COLOURS = ("#c62828", "#1e88e5")
ROWS = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
CORNERS = {micro: ((micro - 1) % 3 * 4 * U + EDGE, (micro - 1) // 3 * 4 * U + EDGE) for micro in range(1, 10)}
LINES = {
    f"{micro}:{'abcd'[x]}{y + 1}-{'abcd'[x2]}{y2 + 1}": (left + x * U, top + y * U, left + x2 * U, top + y2 * U)
    for micro, (left, top) in CORNERS.items() for y in range(4) for x in range(4)
    for x2, y2 in ((x + 1, y), (x, y + 1)) if x2 < 4 and y2 < 4
}  # fmt: skip
BOXES = {
    f"{micro}:#{'abc'[x]}{y + 1}": (left + x * U, top + y * U)
    for micro, (left, top) in CORNERS.items() for y in range(3) for x in range(3)
}  # fmt: skip


class Rules:
    """The game, for a server that only passes moves on."""

    def __init__(self):
        self.drawn, self.boxes, self.won, self.focus, self.sent_to, self.turn = set(), {}, {}, 5, None, 0

    def legal(self):
        """All moves of whoever is to move."""
        micros = [self.focus] if self.focus else [micro for micro in CORNERS if micro not in self.won]
        return [line for line in LINES if int(line[0]) in micros and line not in self.drawn]

    def play(self, move):
        """Draw a line; returns what has changed, as a server that knows the rules would say it."""
        mover, micro, again, over = self.turn, int(move[0]), False, False
        changes = {move: {"seat": mover, "piece": "line"}}
        self.drawn.add(move)
        points = {LINES[line] for line in self.drawn}
        for box, (x, y) in BOXES.items():
            sides = {(x, y, x + U, y), (x, y + U, x + U, y + U), (x, y, x, y + U), (x + U, y, x + U, y + U)}
            if LINES[move] in sides and sides <= points:
                self.boxes[box], again = mover, True
                self.sent_to = "abc".index(box[3]) + int(box[4]) * 3 - 2
                changes[box] = {"seat": mover, "piece": "box"}
        if sum(owner == mover and box[0] == move[0] for box, owner in self.boxes.items()) >= 5:
            self.won[micro], again = mover, False
            changes[str(micro)] = {"seat": mover, "piece": "won"}
            won = {micro for micro, owner in self.won.items() if owner == mover}
            over = len(won) >= 5 or any(set(row) <= won for row in ROWS)
        self.focus = micro if again or self.sent_to is None else self.sent_to
        self.focus = None if self.focus in self.won else self.focus
        if not again:
            self.sent_to, self.turn = None, 1 - mover
        status = "finished" if over else "progress" if again else "next"
        return {"move": move, "match_status": status, "changes": changes, "legal": [] if over else self.legal()}


class Window(DogPlayerInterface):
    """The player's window, which is also what DOG calls."""

    def __init__(self, name, server, referee):
        super().__init__()
        self.referee, self.legal, self.seat, self.turn = referee, [], 0, 0
        self.tk = Tk()
        self.text = Label(self.tk)
        self.canvas = Canvas(self.tk, width=11 * U + 2 * EDGE, height=11 * U + 2 * EDGE, background="white")
        for part in (self.canvas, self.text, Button(self.tk, text="Start", command=self.start)):
            part.pack()
        self.canvas.bind("<Button-1>", self.clicked)
        kind = "referee.id" if referee else "game.id"
        self.dog = DogActor(server, deliver=lambda call: self.tk.after(0, call), game_file=kind)
        self.tk.after(0, lambda: (self.tk.update(), self.say(self.dog.initialize(name, self))))  # Drawn first.

    def start(self):
        """Ask for a match; whoever asks too early is told later, by receive_start."""
        status = self.dog.start_match(2)
        self.receive_start(status) if status.code == "2" else self.say(status.message)

    def receive_start(self, start_status):
        self.seat, self.turn = int(start_status.players[0][2]) - 1, 0
        self.rules = Rules()
        self.legal = start_status.legal if self.referee else self.rules.legal()
        self.canvas.delete("all")
        for points in LINES.values():
            self.canvas.create_line(*points, fill="#ccc", width=3)
        self.say("Your turn" if self.seat == 0 else "The other's turn")

    def clicked(self, event):
        """The line nearest to the mouse, if it may be drawn."""

        def far(line):
            x1, y1, x2, y2 = LINES[line]
            return abs(event.x - (x1 + x2) / 2) + abs(event.y - (y1 + y2) / 2)

        line = min(self.legal, key=far, default=None)
        if self.turn != self.seat or line is None or far(line) > NEAR:
            return
        try:
            if self.referee:
                did = self.dog.send_move({"move": line, "match_status": "next"})
            else:
                did = self.rules.play(line)
                self.dog.send_move({"move": line, "match_status": did["match_status"]})
        except MoveRefused as refused:
            self.say(str(refused))
        else:
            self.show(did, self.seat)

    def receive_move(self, a_move):
        self.show(a_move if self.referee else self.rules.play(a_move["move"]), 1 - self.seat)

    def receive_withdrawal_notification(self):
        self.say("The other has left")

    def show(self, did, mover):
        """Draw what a move has changed, and say whose turn it is: the server tells the same as Rules."""
        for element, mark in did["changes"].items():
            if element in LINES:
                self.canvas.create_line(*LINES[element], fill=COLOURS[mark["seat"]], width=5)
            else:  # a box "5:#a1", or a whole micro game "5"
                x, y, size = (*BOXES[element], 1) if element in BOXES else (*CORNERS[int(element)], 3)
                box = (x + 5, y + 5, x + size * U - 5, y + size * U - 5)
                self.canvas.create_oval(*box, outline=COLOURS[mark["seat"]], width=size + 1)
        self.legal = did["legal"]
        self.turn = 1 - mover if did["match_status"] == "next" else mover
        over = "You have won" if mover == self.seat else "The other has won"
        turn = "Your turn" if self.turn == self.seat else "The other's turn"
        self.say(f"{did['move']}: {over if did['match_status'] == 'finished' else turn}")

    def say(self, sentence):
        """Below the board, and to whoever started the program."""
        self.text.configure(text=sentence)
        print(sentence, flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--name", default="Ana")
    options.add_argument("--server", default="127.0.0.1")
    options.add_argument("--referee", action="store_true")
    options.add_argument("--geometry", default="")
    given = options.parse_args()
    window = Window(given.name, given.server, given.referee)
    window.tk.geometry(given.geometry)
    window.tk.mainloop()
