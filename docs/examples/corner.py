#!/usr/bin/env python3
"""An agent that keeps its tiles in a corner: the first legal direction of a fixed order. See docs/bridge.md."""
import json
import sys

HELLO = {
    "type": "hello",
    "protocol": 1,
    "id": "corner-py",
    "name": "Corner, in Python",
    "version": "1.0.0",
    "licence": "MIT",
    "budgets": ["none"],
    "params": {"order": {"type": "string", "default": "DLRU", "description": "directions, the best first"}},
}


def say(message):
    print(json.dumps(message), flush=True)


def main():
    order = ""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(HELLO)
        elif message["type"] == "setup":
            order = message["params"]["order"]
            if sorted(order) == sorted("DLRU"):
                say({"type": "ready"})
            else:
                say({"type": "refused", "what": "params", "reason": "`order` must name each of D, L, R and U once"})
        elif message["type"] == "position":
            legal = [direction for direction in order if direction in message["legal"]]
            say({"type": "move", "direction": legal[0]})
        elif message["type"] == "quit":
            break


main()
