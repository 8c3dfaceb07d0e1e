#!/usr/bin/env python3
"""@NAME@: an agent that plays 2048. It keeps its tiles in a corner: the first legal direction of a fixed order.

Put your method into Player.choose. Standard output is for the protocol alone: print to sys.stderr.
"""
import json
import sys

HELLO = {
    "type": "hello",
    "protocol": 1,
    "id": "@NAME@",
    "name": "@NAME@",
    "version": "1.0.0",
    "licence": "MIT",
    "budgets": ["none"],
    # For each parameter a JSON schema with its default.
    "params": {"order": {"type": "string", "default": "DLRU", "description": "directions, the best first"}},
}


class Player:
    def __init__(self, rules, params):
        self.rules = rules
        self.order = params["order"]
        if sorted(self.order) != sorted("DLRU"):
            raise ValueError("`order` must name each of D, L, R and U once")

    def new_game(self, seed):
        """Forgets everything of earlier games. The seed is the only source of chance: random.Random(seed)."""
        self.seed = seed

    def choose(self, board, legal, score):
        """The letter of a legal direction. The board is four rows of tiles, 0 where a cell is empty."""
        return next(direction for direction in self.order if direction in legal)


def main():
    player = None
    for line in sys.stdin:
        message = json.loads(line)
        answer = None
        if message["type"] == "hello":
            answer = HELLO
        elif message["type"] == "setup":
            try:
                player = Player(message["rules"], message["params"])
                answer = {"type": "ready"}
            except ValueError as error:
                answer = {"type": "refused", "what": "params", "reason": str(error)}
        elif message["type"] == "new-game":
            player.new_game(int(message["seed"], 16))
        elif message["type"] == "position":
            direction = player.choose(message["board"], message["legal"], message["score"])
            answer = {"type": "move", "direction": direction}
        elif message["type"] == "quit":
            break
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
