"use strict";
/* Facets over all claims: rows of the papers' tables that fit are shown together. Badges choose what they name. */
(() => {
  const box = document.getElementById("facets");
  if (!box) return;
  const facet = Object.fromEntries([...box.querySelectorAll("[data-facet]")].map((control) => [control.dataset.facet, control]));
  const [count, found] = [box.querySelector("output"), document.getElementById("found-claims")];
  const claims = [...document.querySelectorAll(".paper .claims-table tbody tr")].map((row) => ({
    row,
    id: row.id.slice("claim-".length),
    forms: row.dataset.form.split(" "),
    verdict: row.dataset.verdict,
    text: "",
  }));

  /** @param {{row: HTMLTableRowElement, id: string, text: string}} claim @returns {string} all that can be searched, found out when it is first asked for */
  const textOf = (claim) => (claim.text ||= `${claim.id} ${claim.row.textContent}`.toLowerCase());

  /** A row without ids, which stand in the page once, and with a link to where it belongs. */
  function copyOf({ row, id }) {
    const copy = row.cloneNode(true);
    copy.removeAttribute("id");
    copy.hidden = false;
    const link = document.createElement("a");
    link.href = `#claim-${id}`;
    link.textContent = id;
    copy.querySelector("summary").append(" ", link);
    return copy;
  }

  function apply() {
    const [paper, form, verdict] = ["paper", "form", "verdict"].map((name) => facet[name].value);
    const words = facet.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isAsked = paper || form || verdict || words.length > 0;
    const fits = (claim) => (!paper || claim.id.startsWith(`${paper}/`)) && (!form || claim.forms.includes(form))
      && (!verdict || claim.verdict === verdict) && words.every((word) => textOf(claim).includes(word));
    const fitting = isAsked ? claims.filter(fits) : [];
    found.tBodies[0].replaceChildren(...fitting.map(copyOf));
    found.closest(".table-box").hidden = fitting.length === 0;
    count.textContent = isAsked ? `${fitting.length} of ${claims.length} claims and checks` : `${claims.length} claims and checks`;
  }

  /** What can be chosen by a badge becomes a button. */
  function initBadges() {
    for (const place of document.querySelectorAll(".chooses")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "choose";
      button.title = "Show these claims";
      button.append(...place.childNodes);
      place.append(button);
      button.addEventListener("click", () => {
        facet.paper.value = place.dataset.paper ?? "";
        facet.verdict.value = place.dataset.verdict ?? "";
        facet.form.value = "";
        facet.words.value = "";
        apply();
        box.scrollIntoView();
        facet.verdict.focus({ preventScroll: true });
      });
    }
  }

  for (const control of Object.values(facet)) control.addEventListener("input", apply);
  initBadges();
  apply();
})();
