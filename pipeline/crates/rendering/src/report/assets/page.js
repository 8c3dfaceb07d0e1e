"use strict";
/* What the page itself does: the theme's button, links into closed parts, the place in the contents, figures, printing. */
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

  /** Opens what a link leads into: not every browser does so by itself. */
  function revealTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const inside = target?.closest("details:not([open])");
    if (target?.matches("details")) target.open = true;
    if (inside) inside.open = true;
    if (inside || target?.matches("details")) target.scrollIntoView();
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

  /**
   * Draws a figure that waits inside its `noscript`.
   * @param {HTMLElement} figure
   */
  function draw(figure) {
    const waiting = figure.querySelector("noscript");
    if (!waiting) return;
    // An image stands alone, so it takes along what it refers to: all glyphs, and its own texts.
    const named = new Set(waiting.textContent.match(/(?<=href="#)[^"]+/g));
    const needed = [...document.querySelectorAll("#definitions defs > *")].filter(({ id, tagName }) => tagName === "path" || named.has(id));
    const definitions = needed.map((element) => new XMLSerializer().serializeToString(element)).join("");
    const svg = waiting.textContent.replace("<defs>", () => `<defs>${definitions}`);
    const { width, height, alt } = waiting.dataset;
    const image = Object.assign(new Image(width, height), { alt });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    figure.querySelector(".drawing").append(image);
    waiting.remove();
  }

  /** Figures are drawn when they come near: all at once would take seconds. One of them can take the whole width. */
  function initFigures() {
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        draw(target);
      }
    }, { rootMargin: "800px" });
    for (const waiting of document.querySelectorAll("figure > noscript")) {
      const figure = waiting.parentElement;
      const [drawing, button] = [document.createElement("div"), document.createElement("button")];
      drawing.className = "drawing";
      drawing.style.aspectRatio = `${waiting.dataset.width} / ${waiting.dataset.height}`;
      button.type = "button";
      button.className = "enlarge quiet";
      button.textContent = "Larger";
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => button.setAttribute("aria-pressed", String(figure.classList.toggle("wide"))));
      figure.prepend(drawing);
      figure.querySelector("figcaption").append(button);
      observer.observe(figure);
    }
  }

  /** On paper nothing is closed, and every figure is drawn. */
  function initPrinting() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("main details:not([open])")];
      opened.forEach((details) => { details.open = true; });
      document.querySelectorAll("figure").forEach(draw);
    });
    addEventListener("afterprint", () => opened.forEach((details) => { details.open = false; }));
  }

  initTheme();
  initContents();
  initFigures();
  initPrinting();
  addEventListener("hashchange", revealTarget);
  if (location.hash) revealTarget();
})();
