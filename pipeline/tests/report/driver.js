"use strict";
/* Appended to a copy of the page: uses it as a reader would, and leaves {problems, checks} in an element `result`. */
(async () => {
  // A frame that is being written holds back the page's load event, at which the browser prints what it has: so the driver
  // has all the time that it needs, in real time, in which frames are drawn.
  const hold = document.createElement("iframe");
  hold.hidden = true;
  document.body.append(hold);
  hold.contentDocument.open();

  const checks = [];
  /** @param {string} what @param {unknown} ok @param {unknown} [seen] */
  const check = (what, ok, seen) => checks.push({ what, ok: Boolean(ok), seen });
  /** @param {string} what @param {unknown} seen @param {unknown} expected */
  const same = (what, seen, expected) => check(what, JSON.stringify(seen) === JSON.stringify(expected), { seen, expected });
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const games = JSON.parse(document.getElementById("replay-data").textContent);

  async function figures() {
    const images = [...document.querySelectorAll("figure img")];
    same("every figure is linked", images.length, 2);
    check("and waits until it comes near", images.every((image) => image.loading === "lazy"));
    images[0].scrollIntoView({ behavior: "instant" });
    dispatchEvent(new Event("beforeprint"));
    check("on paper none waits", images.every((image) => image.loading === "eager"));
    for (const image of images) {
      await image.decode();
      check("a drawing can be read", image.naturalWidth === 40 && image.alt, image.alt);
    }
    const button = document.querySelector(".enlarge");
    button.click();
    same("a figure can be enlarged", [button.getAttribute("aria-pressed"), button.closest("figure").className], ["true", "wide"]);
  }

  function layout() {
    const { scrollWidth, clientWidth } = document.documentElement;
    check("nothing is wider than the page", scrollWidth <= clientWidth, { scrollWidth, clientWidth });
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
    same("nothing but figures is loaded", loaded.filter((name) => !/^data:|[/]figures[/](one|two)[.]svg$/.test(name)), []);
    const shown = [".contents-side", ".contents-top"].filter((name) => document.querySelector(name).offsetParent !== null);
    same("the contents are there once", shown.length, 1);
    same("one global", Object.keys(globalThis).filter((name) => /retile|player|table/i.test(name)), ["Retile"]);
  }

  function labels() {
    for (const control of document.querySelectorAll("button, input, select, [role=region], [role=group]")) {
      const name = control.getAttribute("aria-label") || control.textContent.trim() || control.labels?.[0]?.textContent.trim();
      if (!name) check("a control has a name", false, control.outerHTML);
    }
    const image = part("board");
    check("the board is read out", /^Row 1: .*Row 4: /.test(image.getAttribute("aria-label")), image.getAttribute("aria-label"));
  }

  function tables() {
    const table = document.getElementById("comparison-table");
    const own = (cell) => (cell.querySelector("a") ?? cell).textContent.trim();
    const column = (index) => [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => own(row.cells[index]));
    const heads = [...table.tHead.rows[0].cells];
    const sorts = () => heads.map((head) => head.getAttribute("aria-sort"));
    const numbers = (values) => values.filter((value) => value !== "none").map(Number);
    const before = column(0);
    check("heads are buttons", heads.every((head) => head.querySelector("button").tabIndex === 0));
    heads[1].querySelector("button").click();
    same("numbers fall at first", numbers(column(1)), numbers(column(1)).toSorted((a, b) => b - a));
    same("what has no number comes last", column(1).at(-1), "none");
    same("the head says so", sorts(), [null, "descending", null, null]);
    heads[1].querySelector("button").click();
    same("then they rise", numbers(column(1)), numbers(column(1)).toSorted((a, b) => a - b));
    same("what has no number still comes last", column(1).at(-1), "none");
    heads[0].querySelector("button").click();
    same("words rise at first", column(0), before);
    same("only one head is marked", sorts(), ["ascending", null, null, null]);
    heads[0].querySelector("button").click();
    same("then they fall", column(0), before.toReversed());

    const filter = document.querySelector('[data-filter="comparison-table"]');
    const [box, count] = [filter.querySelector("input"), filter.querySelector("output")];
    const type = (text) => { box.value = text; box.dispatchEvent(new Event("input")); };
    type("RULES-3  w&<w>");
    same("a filter keeps the rows with all words", column(0), ["sample/rules-3"]);
    same("and counts them", count.textContent, `1 of ${before.length} rows`);
    type("");
    same("an empty filter keeps all", column(0).length, before.length);
  }

  function more() {
    const table = document.getElementById("comparison-table");
    const button = document.querySelector('[data-more="comparison-table"]');
    const shown = () => [...table.tHead.rows[0].cells].filter((cell) => cell.offsetParent !== null).length;
    same("the rest of the columns waits", shown(), 3);
    button.click();
    same("a button shows it", [shown(), button.getAttribute("aria-pressed")], [4, "true"]);
    button.click();
    same("and hides it again", shown(), 3);
    const score = table.tBodies[0].rows[0].cells[1].getBoundingClientRect();
    check("the score is seen without scrolling", score.right <= innerWidth, score);
    const [copy] = table.querySelectorAll("button.copy");
    check("a row offers its command", copy.title.startsWith("pipeline eval sample/rules-"), copy.title);
  }

  async function copied() {
    const [copy] = document.querySelectorAll("#comparison-table button.copy");
    copy.click();
    for (let waited = 0; copy.textContent === "Copy command" && waited < 3000; waited += 50) await pause(50);
    const selected = String(getSelection());
    check("and it is copied, or selected", copy.textContent === "Copied" || selected === copy.title, { text: copy.textContent, selected });
  }

  function facets() {
    const facet = (name) => document.querySelector(`[data-facet="${name}"]`);
    const table = document.getElementById("found-claims");
    const ids = () => [...table.tBodies[0].rows].map((row) => row.querySelector("summary > a").textContent);
    const ask = (name, value) => { facet(name).value = value; facet(name).dispatchEvent(new Event("input")); };
    same("nothing is found before something is asked", ids(), []);
    ask("verdict", "lower");
    same("a verdict can be chosen", ids(), ["sample/claim-4"]);
    ask("verdict", "");
    ask("form", "as-released");
    same("a form can be chosen", ids(), ["sample/claim-2", "sample/claim-8", "sample/claim-5"]);
    ask("words", "SAMPLE/claim-5");
    same("an id can be searched", ids(), ["sample/claim-5"]);
    check("and counted", document.querySelector("#facets output").textContent.startsWith("1 of 9 "));
    ask("words", "");
    ask("form", "");
    ask("paper", "sample");
    same("a paper can be chosen", ids().length, 9);
    const badge = document.querySelector('.tally [data-verdict="confirmed"] button');
    badge.click();
    same("a badge filters", [facet("verdict").value, facet("paper").value, ids().length], ["confirmed", "", 1]);
    const weak = document.querySelectorAll(".paper .weak");
    same("one verdict is weak", weak.length, 1);
    same("and looks so", getComputedStyle(weak[0]).borderStyle, "dashed");
    ask("verdict", "");
  }

  function dark() {
    const look = () => getComputedStyle(document.querySelector("figure img")).filter !== "none";
    const before = look();
    document.getElementById("theme").click();
    same("figures follow the theme", look(), !before);
    document.getElementById("theme").click();
    same("and turn back", look(), before);
  }

  function theme() {
    const button = document.getElementById("theme");
    const look = () => [getComputedStyle(document.body).backgroundColor, button.textContent];
    const before = look();
    button.click();
    const after = look();
    check("the theme turns", before[0] !== after[0] && before[1] !== after[1], { before, after });
    same("and is remembered", localStorage.getItem("retile-theme"), after[1] === "Use the light theme" ? "dark" : "light");
    button.click();
    same("and turns back", look(), before);
    same("the system's own is not kept", localStorage.getItem("retile-theme"), null);
  }

  async function links() {
    same("the player begins with the best method", [part("experiment").value, document.querySelector('input[name="pick"]:checked').value], ["sample/rules-2", "best"]);
    const details = document.getElementById("experiment-sample/rules-2");
    check("experiments are closed", !details.open);
    location.hash = "#experiment-sample/rules-2";
    await pause(100);
    check("a link opens what it leads to, and what that is in", details.open && details.parentElement.closest("details").open);
    location.hash = "#claim-sample/claim-3";
    await pause(100);
    check("a link to a claim opens its reasoning", document.getElementById("claim-sample/claim-3").querySelector("details").open);
    details.querySelector('[data-pick="median"]').click();
    same("a link chooses a game", part("experiment").value, "sample/rules-2");
    same("and which", document.querySelector('input[name="pick"]:checked').value, "median");
    await pause(100);
    check("and the board has the focus", document.activeElement === part("stage"));
  }

  const tick = (game) => `✓ Arrives at the recorded score ${game.score.toLocaleString("en")} and board.`;
  const choose = (game) => {
    part("experiment").value = game.experiment;
    part("experiment").dispatchEvent(new Event("change"));
    const radio = document.querySelector(`input[name="pick"][value="${game.pick}"]`);
    radio.checked = true;
    radio.dispatchEvent(new Event("change"));
  };
  const press = (key) => part("stage").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const position = () => Number(part("slider").value);

  async function keys(game) {
    choose(game);
    same("a game begins at its start", [position(), part("score").textContent, part("arrival").textContent], [0, "0", ""]);
    ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"].forEach(press);
    same("arrow keys step", position(), 2);
    check("the move is shown", part("move").textContent.startsWith("2 of ") && /^[↑→↓←] \w+$/.test(part("direction").textContent), part("direction").textContent);
    press("Home");
    same("Home goes to the start", position(), 0);
    press("ArrowLeft");
    same("and no further", position(), 0);
    press("End");
    same("End goes to the end", position(), game.moves);
    same("with the tick", part("arrival").textContent, tick(game));
    press("ArrowLeft");
    same("which goes with the next step back", part("arrival").textContent, "");
    part("slider").value = String(Math.floor(game.moves / 2));
    part("slider").dispatchEvent(new Event("input"));
    check("the slider scrubs", part("move").textContent.startsWith(`${Math.floor(game.moves / 2).toLocaleString("en")} of`), part("move").textContent);
    check("the slider is read out", part("slider").getAttribute("aria-valuetext").startsWith("move "));
  }

  async function play(game) {
    choose(game);
    part("speed").value = "500";
    press(" ");
    same("space plays", part("play").getAttribute("aria-label"), "Pause");
    await pause(50);
    press(" ");
    const stopped = position();
    await pause(200);
    same("space pauses", [part("play").getAttribute("aria-label"), position()], ["Play", stopped]);
    part("play").click();
    for (let waited = 0; position() < game.moves && waited < 20000; waited += 50) await pause(50);
    same("a game plays to its end", position(), game.moves);
    same("and arrives", part("arrival").textContent, tick(game));
    same("and shows the last board", document.querySelectorAll(".board .tile:not(.rank-0)").length,
      game.final_board.split(" ").filter((cell) => /\d/.test(cell)).length);
    same("and stops", part("play").getAttribute("aria-label"), "Play");
  }

  function all() {
    for (const game of games) {
      choose(game);
      part("last").click();
      if (part("arrival").textContent !== tick(game)) same("every game arrives", part("arrival").textContent, tick(game));
    }
    part("all").click();
    same("all at once", part("all-result").textContent, `✓ All ${games.length} games arrive at their recorded score and board.`);
  }

  try {
    layout();
    labels();
    await figures();
    dark();
    tables();
    more();
    await copied();
    facets();
    theme();
    await links();
    await keys(games[0]);
    await play(games[1]);
    all();
    layout();
  } catch (problem) {
    window.problems.push(`the driver: ${problem.stack}`);
  }
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify({ problems: window.problems, checks });
  document.body.append(result);
  hold.contentDocument.close();
})();
