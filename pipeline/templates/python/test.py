"""What is true of this agent: on boards whose answer is known, it gives that answer."""
import unittest

from @IDENT@ import HELLO, Player


class Choices(unittest.TestCase):
    def setUp(self):
        defaults = {name: schema["default"] for name, schema in HELLO["params"].items()}
        self.player = Player({}, defaults)
        self.player.new_game(1)

    def test_it_goes_down_where_it_can(self):
        board = [[0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
        self.assertEqual(self.player.choose(board, "URDL", 0), "D")

    def test_and_left_where_it_cannot(self):
        board = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0]]
        self.assertEqual(self.player.choose(board, "URL", 0), "L")


if __name__ == "__main__":
    unittest.main()
