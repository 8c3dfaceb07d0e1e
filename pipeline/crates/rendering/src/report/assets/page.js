"use strict";
/* The page's own behaviour: the theme button, links into closed parts, the place in the contents, figures, printing. */
(() => {
  const root = document.documentElement;
  const systemDark = matchMedia("(prefers-color-scheme: dark)");

  /** @returns {boolean} whether the page is dark now */
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : systemDark.matches);

  /** The button turns the theme round, and says into which. A choice that is the system's own is forgotten, so that the page follows it again. */
  function initTheme() {
    const button = document.getElementById("theme");
    const show = () => {
      button.dataset.to = isDark() ? "light" : "dark";
      button.textContent = `Use the ${button.dataset.to} theme`;
    };
    button.addEventListener("click", () => {
      const dark = !isDark();
      if (dark === systemDark.matches) delete root.dataset.theme;
      else root.dataset.theme = dark ? "dark" : "light";
      try {
        if (root.dataset.theme) localStorage.setItem("retile-theme", root.dataset.theme);
        else localStorage.removeItem("retile-theme");
      } catch {
        // Without storage the choice lasts as long as the page.
      }
      show();
    });
    systemDark.addEventListener("change", show);
    button.hidden = false;
    show();
  }

  /** Opens what a link leads into, and all around it: not every browser does so by itself. */
  function revealTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const closed = [];
    for (let around = target.closest("details"); around; around = around.parentElement.closest("details")) closed.push(around);
    const own = target.matches("tr[id^='claim-']") ? target.querySelector("details") : null;
    for (const details of [...closed, own]) if (details) details.open = true;
    if (closed.length > 0 || own) target.scrollIntoView();
  }

  /** Marks in the contents the section that is being read. */
  function initContents() {
    const links = new Map([...document.querySelectorAll(".contents-side a")].map((link) => [link.hash.slice(1), link]));
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        links.forEach((link) => link.removeAttribute("aria-current"));
        links.get(target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-10% 0px -80% 0px" });
    document.querySelectorAll("main > section[id]").forEach((section) => observer.observe(section));
  }

  /** Each figure gets a button that shows it at full width. */
  function initFigures() {
    for (const figure of document.querySelectorAll("figure")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "enlarge quiet";
      button.textContent = "Larger";
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => button.setAttribute("aria-pressed", String(figure.classList.toggle("wide"))));
      figure.querySelector("figcaption").append(button);
    }
  }

  /** Loads every figure before printing. Folded parts stay folded: printed, they would be hundreds of sheets. */
  function initPrinting() {
    addEventListener("beforeprint", () => document.querySelectorAll("figure img").forEach((image) => { image.loading = "eager"; }));
  }

  initTheme();
  initContents();
  initFigures();
  initPrinting();
  addEventListener("hashchange", revealTarget);
  if (location.hash) revealTarget();
})();
