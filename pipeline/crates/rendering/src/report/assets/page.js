"use strict";
/* What the page itself does: the theme's button, links into closed parts, the place in the contents, figures in the theme's colours, printing. */
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
      redraw();
    });
    systemDark.addEventListener("change", () => { show(); redraw(); });
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

  const darkColors = JSON.parse(document.getElementById("dark-colors").textContent);
  /** The drawings by their figures, as they stand in the page: light, and without what they refer to. */
  const drawings = new Map();

  /**
   * Draws a figure that waits inside its `noscript`.
   * @param {HTMLElement} figure
   * @param {boolean} [dark] whether in the dark theme's colours
   */
  function draw(figure, dark = isDark()) {
    const waiting = figure.querySelector("noscript");
    if (!waiting) return;
    const { width, height, alt } = waiting.dataset;
    const image = Object.assign(new Image(width, height), { alt });
    drawings.set(image, waiting.textContent);
    paint(image, dark);
    figure.querySelector(".drawing").append(image);
    waiting.remove();
  }

  /**
   * Gives a drawing its colours.
   * @param {HTMLImageElement} image
   * @param {boolean} dark
   */
  function paint(image, dark) {
    // An image stands alone, so it takes along what it refers to: words, and the glyphs that these are made of.
    const light = drawings.get(image);
    const named = new Set(light.match(/(?<=href="#)[^"]+/g));
    const elements = [...named].map((id) => definition(id));
    const glyphs = new Set(elements.join("").match(/(?<=href="#)[^"]+/g));
    const needed = elements.concat([...glyphs].filter((id) => !named.has(id)).map((id) => definition(id))).join("");
    const turned = dark ? light.replace(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/g, (color) => darkColors[color] ?? color) : light;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(turned.replace("<defs>", () => `<defs>${needed}`))}`;
  }

  /** @param {string} id @returns {string} the markup of a glyph or a word */
  function definition(id) {
    const element = document.getElementById(id);
    return element ? new XMLSerializer().serializeToString(element).replace(' xmlns="http://www.w3.org/2000/svg"', "") : "";
  }

  /** Draws all that is drawn again, in the colours of the theme. */
  function redraw(dark = isDark()) {
    for (const image of drawings.keys()) paint(image, dark);
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

  /** On paper every figure is drawn, in light colours. What is folded stays so: the page has it all, and paper would be hundreds of sheets. */
  function initPrinting() {
    addEventListener("beforeprint", () => {
      if (isDark()) redraw(false);
      document.querySelectorAll("figure").forEach((figure) => draw(figure, false));
    });
    addEventListener("afterprint", () => isDark() && redraw());
  }

  initTheme();
  initContents();
  initFigures();
  initPrinting();
  addEventListener("hashchange", revealTarget);
  if (location.hash) revealTarget();
})();
