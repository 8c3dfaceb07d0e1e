"use strict";
/*
 * Replays recorded games with the page's own rules, and says which differ from their records.
 *
 *     node check.js replay.js games.jsonl     prints {"games", "moves", "milliseconds", "wrong": [{"line", "differences"}]}
 *
 * In a page it reads the element `games` and writes into the element `result`.
 */
(() => {
  /**
   * @param {string} lines one recorded game a line
   * @returns {object}
   */
  function checkLines(lines) {
    const games = lines.trim().split("\n").map((line) => JSON.parse(line));
    const began = performance.now();
    const wrong = [];
    let moves = 0;
    games.forEach((game, line) => {
      const { replayed, differences } = globalThis.Retile.check(game);
      moves += replayed.moves;
      if (differences.length > 0) wrong.push({ line, differences });
    });
    return { games: games.length, moves, milliseconds: Math.round(performance.now() - began), wrong };
  }

  if (typeof document === "object") {
    const lines = document.getElementById("games").textContent;
    document.getElementById("result").textContent = JSON.stringify(checkLines(lines));
  } else {
    const [, , replay, games] = process.argv;
    require(replay);
    console.log(JSON.stringify(checkLines(require("node:fs").readFileSync(games, "utf8"))));
  }
})();
