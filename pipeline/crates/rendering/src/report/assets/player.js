"use strict";
/* The replay player: plays recorded games again in the page, and says whether they arrive at what was recorded. */
(() => {
  const { DIRECTIONS, check } = globalThis.Retile;
  const NAMES = { U: "up", R: "right", D: "down", L: "left" };
  const ARROWS = { U: "↑", R: "→", D: "↓", L: "←" };

  /** @param {number} number @returns {string} with thousands apart */
  const grouped = (number) => number.toLocaleString("en");

  /**
   * @param {object} rules
   * @returns {string}
   */
  function rulesInWords({ four = "1/10", merging = "once", start = "two-tiles", stop_at: stop, spawn = "random" }) {
    const scatter = start.scatter && ["empty", "two", "four", "eight"].map((tile) => start.scatter[tile]).join(":");
    const starts = scatter ? `cells scattered empty:2:4:8 as ${scatter}` : start.board ? "a given board" : "two tiles";
    const ends = stop ? `; ends with ${stop}` : "";
    const tiles = spawn === "adversarial" ? "the agent places the tiles against itself" : `a 4 comes with odds ${four}`;
    return `${tiles}; merging ${merging}; starts with ${starts}${ends}`;
  }

  class Player {
    /**
     * @param {HTMLElement} root
     * @param {import("./replay.js").RecordedGame[]} games
     */
    constructor(root, games) {
      this.games = games;
      const part = (name) => root.querySelector(`[data-part="${name}"]`);
      this.parts = Object.fromEntries(
        ["experiment", "stage", "board", "score", "move", "direction", "largest", "slider", "first", "back", "play", "next",
          "last", "speed", "arrival", "facts", "all", "all-result"].map((name) => [name, part(name)]),
      );
      this.cells = [...this.parts.board.children];
      this.picks = [...root.querySelectorAll('input[name="pick"]')];
      this.position = 0;
      this.playing = false;
      this.fillExperiments();
      this.listen();
      const first = games.find((game) => game.experiment === root.dataset.first) ?? games[0];
      this.choose(first.experiment, first.pick);
      root.hidden = false;
    }

    /** Lists the experiments that have games, by paper. */
    fillExperiments() {
      const groups = new Map();
      for (const { experiment } of this.games) {
        const paper = experiment.split("/")[0];
        if (!groups.has(paper)) groups.set(paper, new Set());
        groups.get(paper).add(experiment);
      }
      for (const [paper, experiments] of groups) {
        const group = document.createElement("optgroup");
        group.label = paper;
        group.append(...Array.from(experiments, (key) => new Option(key, key)));
        this.parts.experiment.append(group);
      }
    }

    listen() {
      const { experiment, stage, slider, first, back, play, next, last, speed, all } = this.parts;
      experiment.addEventListener("change", () => this.choose(experiment.value, this.pick()));
      for (const radio of this.picks) radio.addEventListener("change", () => this.choose(experiment.value, this.pick()));
      slider.addEventListener("input", () => this.stopAt(Number(slider.value)));
      first.addEventListener("click", () => this.stopAt(0));
      back.addEventListener("click", () => this.stopAt(this.position - 1));
      next.addEventListener("click", () => this.stopAt(this.position + 1));
      last.addEventListener("click", () => this.stopAt(this.end));
      play.addEventListener("click", () => this.toggle());
      speed.addEventListener("change", () => this.playing && this.run());
      stage.addEventListener("keydown", (event) => this.key(event));
      slider.addEventListener("keydown", (event) => event.key === " " && this.key(event)); // its arrow keys are its own
      all.addEventListener("click", () => this.checkAll());
      for (const link of document.querySelectorAll("a[data-replay]")) {
        link.addEventListener("click", () => this.open(link.dataset.replay, link.dataset.pick));
      }
    }

    /** @returns {string} the chosen one of best, median, worst */
    pick() {
      return this.picks.find((radio) => radio.checked).value;
    }

    /**
     * A link elsewhere in the page leads to a game.
     * @param {string} experiment
     * @param {string} pick
     */
    open(experiment, pick) {
      this.choose(experiment, pick);
      // After the browser has followed the link, which takes the focus away.
      setTimeout(() => this.parts.stage.focus({ preventScroll: true }));
    }

    /**
     * Takes up a game: plays it through at once, so that every move can be jumped to.
     * @param {string} experiment
     * @param {string} pick
     */
    choose(experiment, pick) {
      this.pause();
      const games = this.games.filter((game) => game.experiment === experiment);
      const game = games.find((other) => other.pick === pick) ?? games[0];
      this.parts.experiment.value = experiment;
      for (const radio of this.picks) {
        radio.checked = radio.value === game.pick;
        radio.disabled = !games.some((other) => other.pick === radio.value);
      }
      this.game = game;
      this.checked = check(game);
      this.end = this.checked.replayed.moves;
      this.parts.slider.max = this.end;
      this.showFacts();
      this.show(0);
    }

    showFacts() {
      const { game, pick, score, moves, tile_seed: seed, ending, rules } = this.game;
      const facts = [
        ["Game", `${grouped(game)}, the ${pick} one`],
        ["Recorded", `score ${grouped(score)}, ${grouped(moves)} moves, ending ${ending}`],
        ["Tile seed", seed],
        ["Rules", rulesInWords(rules)],
      ];
      this.parts.facts.replaceChildren(...facts.flatMap(([name, text]) => {
        const [term, description] = [document.createElement("dt"), document.createElement("dd")];
        term.textContent = name;
        description.textContent = text;
        return [term, description];
      }));
    }

    /** @param {KeyboardEvent} event */
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const steps = {
        " ": () => this.toggle(),
        ArrowLeft: () => this.stopAt(this.position - 1),
        ArrowRight: () => this.stopAt(this.position + 1),
        Home: () => this.stopAt(0),
        End: () => this.stopAt(this.end),
      };
      if (!steps[event.key]) return;
      event.preventDefault();
      steps[event.key]();
    }

    toggle() {
      if (this.playing) this.pause();
      else this.run();
    }

    /** Plays on from here, or from the start where this is the end. */
    run() {
      if (this.position >= this.end) this.show(0);
      this.setPlaying(true);
      const [from, began] = [this.position, performance.now()];
      const speed = Number(this.parts.speed.value);
      clearInterval(this.timer);
      this.timer = setInterval(() => {
        const due = from + Math.floor(((performance.now() - began) / 1000) * speed);
        const position = Math.min(due, this.end);
        if (position !== this.position) this.show(position);
        if (position === this.end) this.pause();
      }, Math.max(16, 1000 / speed));
    }

    pause() {
      clearInterval(this.timer);
      this.setPlaying(false);
    }

    /** @param {boolean} playing */
    setPlaying(playing) {
      this.playing = playing;
      const { play } = this.parts;
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      play.classList.toggle("playing", playing);
    }

    /** @param {number} position */
    stopAt(position) {
      this.pause();
      this.show(Math.max(0, Math.min(position, this.end)));
    }

    /**
     * Shows the board after a number of moves.
     * @param {number} position
     */
    show(position) {
      this.position = position;
      const { replayed, directions } = this.checked;
      const board = replayed.boards.subarray(16 * position, 16 * position + 16);
      this.drawBoard(board, replayed.spawned[position]);
      const letter = position > 0 ? DIRECTIONS[directions[position - 1]] : null;
      const { score, move, direction, largest, slider, first, back, next, last } = this.parts;
      score.textContent = grouped(replayed.scores[position]);
      move.textContent = `${grouped(position)} of ${grouped(this.end)}`;
      direction.textContent = letter ? `${ARROWS[letter]} ${NAMES[letter]}` : "start";
      const rank = Math.max(...board);
      largest.textContent = rank ? grouped(2 ** rank) : "none";
      slider.value = position;
      slider.setAttribute("aria-valuetext", `move ${position} of ${this.end}, score ${replayed.scores[position]}`);
      // Not `disabled`: a button that disables itself loses the focus of who is pressing it.
      for (const button of [first, back]) button.setAttribute("aria-disabled", String(position === 0));
      for (const button of [next, last]) button.setAttribute("aria-disabled", String(position === this.end));
      this.showArrival();
    }

    /**
     * @param {Uint8Array} board
     * @param {number} spawned the cell of the newest tile, or -1
     */
    drawBoard(board, spawned) {
      this.cells.forEach((cell, i) => {
        cell.textContent = board[i] ? String(2 ** board[i]) : "";
        cell.className = `tile rank-${board[i]}${i === spawned ? " spawned" : ""}`;
      });
      const rows = [0, 4, 8, 12].map((row) => Array.from(board.subarray(row, row + 4), (r) => (r ? 2 ** r : "empty")).join(" "));
      this.parts.board.setAttribute("aria-label", rows.map((row, i) => `Row ${i + 1}: ${row}`).join(". "));
    }

    /** At the end: a tick where the replay arrives at the record, or in what it does not. */
    showArrival() {
      const { arrival } = this.parts;
      const { differences } = this.checked;
      const arrived = this.position === this.end;
      const good = differences.length === 0;
      arrival.className = arrived ? `arrival ${good ? "good" : "bad"}` : "arrival";
      const text = !arrived
        ? ""
        : good
          ? `✓ Arrives at the recorded score ${grouped(this.game.score)} and board.`
          : `✗ Differs from the record. ${differences.join("; ")}.`;
      if (arrival.textContent !== text) arrival.textContent = text;
    }

    /** Plays every game of the page again. */
    checkAll() {
      const wrong = this.games.filter((game) => check(game).differences.length > 0);
      const result = this.parts["all-result"];
      result.className = `arrival ${wrong.length ? "bad" : "good"}`;
      result.textContent = wrong.length
        ? `✗ ${wrong.length} of ${this.games.length} games differ: ${wrong.map((game) => `${game.experiment} ${game.pick}`).join(", ")}.`
        : `✓ All ${this.games.length} games arrive at their recorded score and board.`;
    }
  }

  const games = JSON.parse(document.getElementById("replay-data").textContent);
  const root = document.getElementById("player");
  if (root && games.length > 0) new Player(root, games);
})();
