"use strict";
/* Tables that sort by any column and filter by words. Without scripts they are plain tables. */
(() => {
  const collator = new Intl.Collator("en", { numeric: true });

  /**
   * Compares two cells, upwards. A cell without a number comes after all numbers.
   * @param {HTMLTableCellElement} one
   * @param {HTMLTableCellElement} other
   * @param {number} sign 1 upwards, -1 downwards
   * @returns {number}
   */
  function compare(one, other, sign) {
    const [a, b] = [one.dataset.sort, other.dataset.sort];
    if (a !== undefined && b !== undefined) return sign * (Number(a) - Number(b));
    if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1;
    return sign * collator.compare(one.textContent.trim(), other.textContent.trim());
  }

  /**
   * Sorts the rows by a column: numbers from the largest first, words from the first; once more turns it round.
   * @param {HTMLTableElement} table
   * @param {HTMLTableCellElement} head
   */
  function sortBy(table, head) {
    const before = head.getAttribute("aria-sort");
    const first = head.classList.contains("numeric") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const order = before === first ? second : first;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows];
    rows.sort((a, b) => compare(a.cells[head.cellIndex], b.cells[head.cellIndex], sign));
    body.append(...rows);
  }

  /** @param {HTMLTableElement} table */
  function makeSortable(table) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(table, head));
      head.append(button);
    }
  }

  /**
   * Shows the rows that hold every word of the box.
   * @param {HTMLElement} filter the box with its label and its count
   */
  function makeFilter(filter) {
    const input = filter.querySelector("input");
    const count = filter.querySelector("output");
    const rows = [...document.getElementById(filter.dataset.filter).tBodies[0].rows];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const apply = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
      const shown = rows.filter((row) => !row.hidden).length;
      count.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
    };
    input.addEventListener("input", apply);
    filter.hidden = false;
    apply();
  }

  /**
   * Shows or hides the columns that are not asked first.
   * @param {HTMLButtonElement} button
   */
  function makeMore(button) {
    const table = document.getElementById(button.dataset.more);
    button.addEventListener("click", () => {
      const all = table.classList.toggle("all");
      button.setAttribute("aria-pressed", String(all));
      button.textContent = all ? "Fewer columns" : "More columns";
    });
  }

  document.querySelectorAll("[data-more]").forEach(makeMore);
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("[data-filter]").forEach(makeFilter);
})();
