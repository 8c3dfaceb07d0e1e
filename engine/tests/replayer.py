#!/usr/bin/env python3
"""An independent replayer of 2048 game records, written from engine/README.md alone.

It shares no code with the engine, so that each can be held against the other, and it is a model for replayers in other
languages. It needs Python 3.8 or later and nothing else.

    replayer.py < games.jsonl       one JSON object per line in, one per line out
        in   {"rules": {...}, "tile_seed": "<16 hex digits>", "directions": "URDL..."}, and "spawns": "f2a4..." if the
             rules leave the tiles to an adversary
        out  {"score": 12, "moves": 3, "max_tile": 8, "board": "...", "ending": "no-moves"}, the ending null if the
             game is not over after the last direction; or {"error": "move K: ..."} if a direction cannot be played
    replayer.py --seeds MASTER GAME print the tile seed and the agent seed
"""
import functools
import hashlib
import json
import sys

MASK = 2**64 - 1
CAP = 16  # the rank of 65536
# For each direction its four lines, each as the cells from the wall outwards.
ROWS = [[4 * row + column for column in range(4)] for row in range(4)]
COLUMNS = [[4 * row + column for row in range(4)] for column in range(4)]
LINES = {"U": COLUMNS, "R": [row[::-1] for row in ROWS], "D": [column[::-1] for column in COLUMNS], "L": ROWS}


def seeds(master, game):
    """The tile seed and the agent seed of a game, in hexadecimal."""
    texts = ("retile/v1/%s/%d/%d" % (stream, master, game) for stream in ("tiles", "agent"))
    return [hashlib.sha256(text.encode("ascii")).hexdigest()[:16] for text in texts]


def rotl(x, k):
    return (x << k | x >> (64 - k)) & MASK


def outputs(x):
    """The endless outputs of xoshiro256++, its state filled by SplitMix64 from the seed x."""
    state = []
    for _ in range(4):
        x = (x + 0x9E3779B97F4A7C15) & MASK
        z = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        state.append(z ^ z >> 31)
    a, b, c, d = state
    while True:
        yield (rotl((a + d) & MASK, 23) + a) & MASK
        t = b << 17 & MASK
        c, d = c ^ a, d ^ b
        a, b, c, d = a ^ d, b ^ c, c ^ t, rotl(d, 45)


def to_text(board):
    cells = ["." if rank == 0 else str(2**rank) for rank in board]
    return " / ".join(" ".join(cells[i:i + 4]) for i in range(0, 16, 4))


def from_text(text):
    board = [0 if cell == "." else int(cell).bit_length() - 1 for cell in text.replace(" / ", " ").split(" ")]
    if len(board) != 16 or max(board) > CAP or to_text(board) != text:
        raise ValueError("not a board: %r" % text)
    return board


@functools.lru_cache(maxsize=None)  # there are few different lines, and most come often
def slide_line(line, cascading):
    """Slide four ranks, given from the wall outwards: the new line, the reward, the highest rank made by a merge."""
    done, fresh, reward, highest = [], False, 0, 0  # done: tiles at rest; fresh: a merge has made the last of them
    for rank in filter(None, line):
        if done and done[-1] == rank and (cascading or not fresh):  # the last tile at rest is the blocker
            done[-1], fresh = rank + 1, True
            reward += 2 ** (rank + 1)
            highest = max(highest, rank + 1)
        else:
            done.append(rank)
            fresh = False
    return tuple(done + [0] * (4 - len(done))), reward, highest


class Game:
    """A game from its start: board (ranks), score and moves so far."""

    def __init__(self, rules, tile_seed):
        merging = rules.get("merging", "once")
        spawn = rules.get("spawn", "random")
        known = merging in ("once", "cascading") and spawn in ("random", "adversarial")
        if not known or set(rules) - {"four", "merging", "start", "stop_at", "spawn"}:
            raise ValueError("unknown rules: %s" % rules)  # better than to check another game than the one played
        self.adversarial = spawn == "adversarial"
        self.cascading = merging == "cascading"
        self.four = [int(number) for number in rules.get("four", "1/10").split("/")]
        self.stop_at = rules.get("stop_at")
        self.stream = outputs(int(tile_seed, 16))
        self.board, self.score, self.moves, self.stopped = [0] * 16, 0, 0, None
        start = rules.get("start", "two-tiles")
        if start == "two-tiles":
            self.spawn()
            self.spawn()
        elif "scatter" in start:
            a, b, c, d = (start["scatter"][key] for key in ("empty", "two", "four", "eight"))
            for cell in range(16):
                x = (next(self.stream) >> 32) * (a + b + c + d) >> 32
                self.board[cell] = 0 if x < a else 1 if x < a + b else 2 if x < a + b + c else 3
        else:
            self.board = from_text(start["board"])

    def spawn(self):
        """Put one tile, drawn from the tile stream, into an empty cell."""
        r = next(self.stream)
        empty = [cell for cell, rank in enumerate(self.board) if rank == 0]
        n, d = self.four
        self.board[empty[(r >> 32) * len(empty) >> 32]] = 2 if ((r & 0xFFFFFFFF) * d >> 32) < n else 1

    def place(self, tile):
        """Put a tile that an adversary chose, such as "f4", into its cell: one that chance could have placed."""
        if len(tile) != 2 or tile[0] not in "0123456789abcdef" or tile[1] not in "24":
            raise ValueError("move %d: %r is no tile in a cell" % (self.moves, tile))
        cell, rank = int(tile[0], 16), int(tile[1]) // 2
        n, d = self.four
        if self.board[cell] or (n == 0 if rank == 2 else n == d):
            raise ValueError("move %d: illegal tile %s" % (self.moves, tile))
        self.board[cell] = rank

    def slide(self, direction):
        """The board after a slide, its reward, the highest rank made; None if nothing moves or merges."""
        board, reward, highest = self.board[:], 0, 0
        for w, x, y, z in LINES[direction]:
            line, points, made = slide_line((board[w], board[x], board[y], board[z]), self.cascading)
            board[w], board[x], board[y], board[z] = line
            reward, highest = reward + points, max(highest, made)
        return None if board == self.board else (board, reward, highest)

    def ending(self):
        """How the game has ended, or None while it goes on."""
        return self.stopped or (None if any(self.slide(direction) for direction in "URDL") else "no-moves")

    def move(self, direction, tiles):
        """Play one direction, with the next of the placed tiles if an adversary places them. (One that changes the board proves that the game was not at `no-moves` before.)"""
        slid = self.slide(direction) if direction in LINES and not self.stopped else None
        if slid is None:
            reason = "the game is over: %s" % self.ending() if self.ending() else "illegal direction %r" % direction
            raise ValueError("move %d: %s" % (self.moves + 1, reason))
        self.board, reward, highest = slid
        self.score += reward
        self.moves += 1
        if highest >= CAP:
            self.stopped = "tile-cap"
        elif self.stop_at and 2 ** max(self.board) >= self.stop_at:
            self.stopped = "stopped-at-tile"
        elif self.adversarial:
            self.place(next(tiles, ""))
        else:
            self.spawn()


def replay(record):
    """The answer to one line of the input."""
    try:
        game = Game(record["rules"], record["tile_seed"])
        if game.adversarial != ("spawns" in record):
            raise ValueError("placed tiles belong to adversarial games, and to no others")
        spawns = record.get("spawns", "")
        tiles = iter([spawns[at:at + 2] for at in range(0, len(spawns), 2)])
        for direction in record["directions"]:
            game.move(direction, tiles)
        if next(tiles, None) is not None:
            raise ValueError("there are more tiles than were placed")
    except ValueError as problem:
        return {"error": str(problem)}
    max_tile = 2 ** max(game.board) if any(game.board) else 0
    return {"score": game.score, "moves": game.moves, "max_tile": max_tile, "board": to_text(game.board),
            "ending": game.ending()}


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--seeds":
        return print(*seeds(int(arguments[1]), int(arguments[2])))
    if arguments:
        return __doc__
    for line in sys.stdin:
        print(json.dumps(replay(json.loads(line))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
