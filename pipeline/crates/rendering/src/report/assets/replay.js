"use strict";
/*
 * The game of 2048 once more, written from engine/README.md alone: seeds, random streams, rules. It shares no code with the
 * engine, so that each can be held against the other. Pure functions; they run in a page and in node alike.
 */
(() => {
  /**
   * A recorded game.
   * @typedef {object} RecordedGame
   * @property {object} rules missing keys have the standard's values
   * @property {string} seed the experiment's master seed, decimal
   * @property {number} game its number in the experiment
   * @property {string} tile_seed 16 hexadecimal digits
   * @property {string} directions two bits a move, in base64
   * @property {number} moves
   * @property {number} score
   * @property {number} max_tile
   * @property {string} final_board
   * @property {string} ending
   * @property {string} [spawns] the tiles that an adversary placed, two characters each
   */

  /**
   * A game played again. Move k leads from board k - 1 to board k.
   * @typedef {object} Replayed
   * @property {Uint8Array} boards 16 ranks a board, the start first
   * @property {Uint32Array} scores one a board
   * @property {Int8Array} spawned the cell of the tile that came with a board, or -1
   * @property {number} moves how many could be played
   * @property {?string} ending how the game itself ended; null while it could go on
   * @property {?string} error why a direction could not be played
   */

  const DIRECTIONS = "URDL";
  const CAP_RANK = 16; // 65536
  const FAULTS = ["illegal-move", "agent-error", "agent-crash", "timeout", "resource-limit"];

  const ROUND_CONSTANTS = Uint32Array.of(
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  );

  /** @param {number} x @param {number} k @returns {number} */
  const rotateRight = (x, k) => (x >>> k) | (x << (32 - k));

  /**
   * One block of 16 words into the state of SHA-256. (The page's own: a browser's is not there for pages opened as files.)
   * @param {Uint32Array} state
   * @param {Uint32Array} block
   */
  function compress(state, block) {
    const w = new Uint32Array(64);
    w.set(block);
    for (let i = 16; i < 64; i++) {
      const s0 = rotateRight(w[i - 15], 7) ^ rotateRight(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = rotateRight(w[i - 2], 17) ^ rotateRight(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + w[i]) | 0;
      const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
  }

  /**
   * The SHA-256 of an ASCII text, in hexadecimal.
   * @param {string} text
   * @returns {string}
   */
  function sha256(text) {
    const words = new Uint32Array(16 * Math.ceil((text.length + 9) / 64));
    for (let i = 0; i < text.length; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i & 3));
    words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
    words[words.length - 1] = 8 * text.length;
    const state = Uint32Array.of(
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
    for (let i = 0; i < words.length; i += 16) compress(state, words.subarray(i, i + 16));
    return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  /**
   * The seed of a game's tiles.
   * @param {string} master the experiment's seed, decimal
   * @param {number} game
   * @returns {string} 16 hexadecimal digits
   */
  const tileSeed = (master, game) => sha256(`retile/v1/tiles/${master}/${game}`).slice(0, 16);

  /** The generator xoshiro256++, its words as pairs of 32 bits: BigInt would be a hundred times slower. */
  class TileStream {
    /** @param {string} seed hexadecimal */
    constructor(seed) {
      const mask = (1n << 64n) - 1n;
      let x = BigInt(`0x${seed}`);
      /** The words a, b, c, d, each with its high half first. */
      this.state = new Int32Array(8);
      for (let word = 0; word < 4; word++) {
        x = (x + 0x9e3779b97f4a7c15n) & mask;
        let z = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
        z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
        z ^= z >> 31n;
        this.state[2 * word] = Number(z >> 32n);
        this.state[2 * word + 1] = Number(z & 0xffffffffn);
      }
      /** The halves of the last output. */
      this.high = 0;
      this.low = 0;
    }

    /** Draws the next output into `high` and `low`. */
    next() {
      const s = this.state;
      const aHigh = s[0], aLow = s[1], bHigh = s[2], bLow = s[3];
      const sumLow = (aLow >>> 0) + (s[7] >>> 0); // a + d
      const sumHigh = aHigh + s[6] + (sumLow > 0xffffffff ? 1 : 0);
      const resultLow = (((sumLow << 23) | (sumHigh >>> 9)) >>> 0) + (aLow >>> 0);
      this.low = resultLow >>> 0;
      this.high = (((sumHigh << 23) | ((sumLow | 0) >>> 9)) + aHigh + (resultLow > 0xffffffff ? 1 : 0)) >>> 0;
      s[4] ^= aHigh; s[5] ^= aLow; // c ^= a
      s[6] ^= bHigh; s[7] ^= bLow; // d ^= b
      s[2] ^= s[4]; s[3] ^= s[5]; // b ^= c
      s[0] ^= s[6]; s[1] ^= s[7]; // a ^= d
      s[4] ^= (bHigh << 17) | (bLow >>> 15); s[5] ^= bLow << 17; // c ^= b << 17, the old b
      const high = s[6];
      s[6] = (s[7] << 13) | (high >>> 19); // d = rotl(d, 45): its halves change places
      s[7] = (high << 13) | (s[7] >>> 19);
    }
  }

  /**
   * floor(bits * bound / 2^32), exact although the product has up to 64 bits.
   * @param {number} bits below 2^32
   * @param {number} bound below 2^32
   * @returns {number}
   */
  function scale(bits, bound) {
    const upper = (bits >>> 16) * bound;
    const lower = Math.floor(((bits & 0xffff) * bound) / 65536);
    return Math.floor((upper + lower) / 65536);
  }

  /** For each direction the cells of its four lines, each from the wall outwards. */
  const LINES = [
    [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12],
    [12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  ];

  /** @param {number} tile a power of two @returns {number} its exponent */
  const rankOf = (tile) => 31 - Math.clz32(tile);

  /**
   * Rules with every key, or an error: better than to check another game than the one that was played.
   * @param {object} rules
   */
  function readRules(rules) {
    const { four = "1/10", merging = "once", start = "two-tiles", stop_at: stopAt = null, spawn = "random", ...unknown } = rules;
    const [numerator, denominator] = four.split("/").map(Number);
    const known = ["once", "cascading"].includes(merging) && ["random", "adversarial"].includes(spawn);
    const starts = start === "two-tiles" || "scatter" in start || "board" in start;
    if (!known || !starts || !(numerator <= denominator) || Object.keys(unknown).length > 0) {
      throw new Error(`unknown rules: ${JSON.stringify(rules)}`);
    }
    return {
      numerator,
      denominator,
      cascading: merging === "cascading",
      start,
      stopRank: stopAt && rankOf(stopAt),
      adversarial: spawn === "adversarial",
    };
  }

  /**
   * Slides a board in place.
   * @param {Uint8Array} board
   * @param {number} direction
   * @param {boolean} cascading
   * @returns {number} the reward, or -1 if nothing moves
   */
  function slide(board, direction, cascading) {
    const cells = LINES[direction];
    let reward = 0;
    let moved = false;
    for (let line = 0; line < 16; line += 4) {
      let rest = line; // where the next tile comes to rest
      let fresh = false; // whether a merge has made the last tile at rest
      for (let from = line; from < line + 4; from++) {
        const rank = board[cells[from]];
        if (rank === 0) continue;
        board[cells[from]] = 0;
        if (rest > line && board[cells[rest - 1]] === rank && (cascading || !fresh)) {
          board[cells[rest - 1]] = rank + 1;
          reward += 2 << rank;
          fresh = true;
          moved = true;
        } else {
          board[cells[rest]] = rank;
          moved ||= rest !== from;
          fresh = false;
          rest++;
        }
      }
    }
    return moved ? reward : -1;
  }

  /**
   * @param {Uint8Array} board
   * @returns {number}
   */
  function largestRank(board) {
    let largest = 0;
    for (let cell = 0; cell < 16; cell++) if (board[cell] > largest) largest = board[cell];
    return largest;
  }

  /**
   * Whether any direction changes the board.
   * @param {Uint8Array} board
   * @returns {boolean}
   */
  const hasMove = (board) => [0, 1, 2, 3].some((direction) => slide(board.slice(), direction, false) >= 0);

  /**
   * Puts one drawn tile into an empty cell.
   * @param {Uint8Array} board
   * @param {ReturnType<typeof readRules>} rules
   * @param {TileStream} stream
   * @returns {number} the cell
   */
  function spawn(board, rules, stream) {
    stream.next();
    let empty = 0;
    for (let cell = 0; cell < 16; cell++) if (board[cell] === 0) empty++;
    let cell = -1;
    for (let left = scale(stream.high, empty); left >= 0; left--) do cell++; while (board[cell] !== 0);
    board[cell] = scale(stream.low, rules.denominator) < rules.numerator ? 2 : 1;
    return cell;
  }

  /**
   * Puts a tile that an adversary chose into its cell: one that chance could have placed.
   * @param {Uint8Array} board
   * @param {ReturnType<typeof readRules>} rules
   * @param {string} tile the cell as a hexadecimal digit, then 2 or 4
   * @returns {number} the cell
   */
  function place(board, rules, tile) {
    if (!/^[0-9a-f][24]$/.test(tile)) throw new Error(tile ? `no tile in a cell: ${tile}` : "no tile is recorded");
    const [cell, isFour] = [parseInt(tile[0], 16), tile[1] === "4"];
    const possible = isFour ? rules.numerator > 0 : rules.numerator < rules.denominator;
    if (board[cell] !== 0 || !possible) throw new Error(`illegal tile ${tile}`);
    board[cell] = isFour ? 2 : 1;
    return cell;
  }

  /**
   * The board that a game begins on.
   * @param {ReturnType<typeof readRules>} rules
   * @param {TileStream} stream
   * @returns {Uint8Array}
   */
  function startBoard(rules, stream) {
    if (rules.start.board) return boardFromText(rules.start.board);
    const board = new Uint8Array(16);
    if (rules.start === "two-tiles") {
      spawn(board, rules, stream);
      spawn(board, rules, stream);
      return board;
    }
    const { empty, two, four, eight } = rules.start.scatter;
    for (let cell = 0; cell < 16; cell++) {
      stream.next();
      const x = scale(stream.high, empty + two + four + eight);
      board[cell] = x < empty ? 0 : x < empty + two ? 1 : x < empty + two + four ? 2 : 3;
    }
    return board;
  }

  /**
   * @param {Uint8Array} board
   * @returns {string} tiles, as in `2 . . 2 / . 4 . . / …`
   */
  function boardToText(board) {
    const tiles = Array.from(board, (rank) => (rank === 0 ? "." : String(2 ** rank)));
    return [0, 4, 8, 12].map((row) => tiles.slice(row, row + 4).join(" ")).join(" / ");
  }

  /**
   * @param {string} text
   * @returns {Uint8Array}
   */
  function boardFromText(text) {
    const board = Uint8Array.from(text.replaceAll(" / ", " ").split(" "), (tile) => (tile === "." ? 0 : rankOf(Number(tile))));
    if (board.length !== 16 || boardToText(board) !== text) throw new Error(`not a board: ${text}`);
    return board;
  }

  /**
   * The directions' numbers from the page's packed form.
   * @param {string} packed
   * @param {number} moves
   * @returns {Uint8Array}
   */
  function unpackDirections(packed, moves) {
    const bytes = atob(packed);
    if (bytes.length !== Math.ceil(moves / 4)) throw new Error(`${bytes.length} bytes cannot be ${moves} moves`);
    const directions = new Uint8Array(moves);
    for (let i = 0; i < moves; i++) directions[i] = (bytes.charCodeAt(i >> 2) >> (2 * (i & 3))) & 3;
    return directions;
  }

  /**
   * Plays a game again from its seed, its directions, and the tiles that an adversary placed in it.
   * @param {object} recordedRules
   * @param {string} seed of the tiles, hexadecimal
   * @param {Uint8Array} directions
   * @param {string} [spawns] absent where chance spawned the tiles
   * @returns {Replayed}
   */
  function replay(recordedRules, seed, directions, spawns) {
    const rules = readRules(recordedRules);
    if (rules.adversarial !== (spawns !== undefined)) throw new Error("placed tiles belong to adversarial games, and to no others");
    const stream = new TileStream(seed);
    const board = startBoard(rules, stream);
    const boards = new Uint8Array(16 * (directions.length + 1));
    const scores = new Uint32Array(directions.length + 1);
    const spawned = new Int8Array(directions.length + 1).fill(-1);
    boards.set(board);
    let [moves, stopped, error, placed] = [0, null, null, 0];
    const nextTile = () => {
      if (!rules.adversarial) return spawn(board, rules, stream);
      placed += 2;
      return place(board, rules, spawns.slice(placed - 2, placed));
    };
    for (const direction of directions) {
      const reward = stopped ? -1 : slide(board, direction, rules.cascading);
      if (reward < 0) {
        const over = stopped ?? (hasMove(board) ? null : "no-moves");
        error = `move ${moves + 1}: ${over ? `the game is over: ${over}` : `illegal direction ${DIRECTIONS[direction]}`}`;
        break;
      }
      const largest = largestRank(board);
      let cell = -1;
      if (largest >= CAP_RANK) stopped = "tile-cap";
      else if (rules.stopRank && largest >= rules.stopRank) stopped = "stopped-at-tile";
      else {
        try {
          cell = nextTile();
        } catch (problem) {
          error = `move ${moves + 1}: ${problem.message}`;
          break;
        }
      }
      moves++;
      scores[moves] = scores[moves - 1] + reward;
      spawned[moves] = cell;
      boards.set(board, 16 * moves);
    }
    if (!error && rules.adversarial && placed !== spawns.length) error = "more tiles are recorded than were placed";
    return { boards, scores, spawned, moves, ending: stopped ?? (hasMove(board) ? null : "no-moves"), error };
  }

  /**
   * The replay of a game that cannot even begin.
   * @param {string} error
   * @returns {Replayed}
   */
  const unplayable = (error) => (
    { boards: new Uint8Array(16), scores: new Uint32Array(1), spawned: Int8Array.of(-1), moves: 0, ending: null, error }
  );

  /**
   * Unpacks and replays.
   * @param {RecordedGame} record
   * @returns {{replayed: Replayed, directions: Uint8Array}}
   */
  function replayRecord(record) {
    try {
      const directions = unpackDirections(record.directions, record.moves);
      return { directions, replayed: replay(record.rules, record.tile_seed, directions, record.spawns) };
    } catch (problem) {
      return { directions: new Uint8Array(0), replayed: unplayable(problem.message) };
    }
  }

  /**
   * Plays a recorded game again, and says in what it differs from its record.
   * @param {RecordedGame} record
   * @returns {{replayed: Replayed, directions: Uint8Array, differences: string[]}}
   */
  function check(record) {
    const { directions, replayed } = replayRecord(record);
    const board = replayed.boards.subarray(16 * replayed.moves, 16 * replayed.moves + 16);
    const largest = largestRank(board);
    // A game that a fault cut short could have gone on.
    const ending = FAULTS.includes(record.ending) ? null : record.ending;
    const differences = [
      ["tile seed", tileSeed(record.seed, record.game), record.tile_seed],
      ["moves", replayed.moves, record.moves],
      ["score", replayed.scores[replayed.moves], record.score],
      ["largest tile", largest && 2 ** largest, record.max_tile],
      ["last board", boardToText(board), record.final_board],
      ["ending", replayed.ending, ending],
    ].filter(([, here, there]) => here !== there);
    const texts = differences.map(([what, here, there]) => `${what}: replayed ${here}, recorded ${there}`);
    return { replayed, directions, differences: replayed.error ? [replayed.error, ...texts] : texts };
  }

  const api = { DIRECTIONS, TileStream, boardFromText, boardToText, check, replay, scale, sha256, slide, tileSeed, unpackDirections };
  globalThis.Retile = api;
  if (typeof module === "object") module.exports = api;
})();
