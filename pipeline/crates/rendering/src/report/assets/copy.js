"use strict";
/* Commands to take away: each gets a button that copies it. A command that is hidden to spare room stands in the button's tip. */
(() => {
  /**
   * Copies the text of an element, or where the browser does not let the page do so, selects it.
   * @param {HTMLElement} source
   * @returns {Promise<boolean>} whether it was copied
   */
  async function copy(source) {
    try {
      await navigator.clipboard.writeText(source.textContent);
      return true;
    } catch {
      source.hidden = false;
      getSelection()?.selectAllChildren(source);
      return false;
    }
  }

  for (const source of document.querySelectorAll("code.copied")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy quiet";
    const name = source.hidden ? "Copy command" : "Copy";
    button.textContent = name;
    button.title = source.textContent;
    button.addEventListener("click", async () => {
      const copied = await copy(source);
      button.textContent = copied ? "Copied" : "Selected";
      setTimeout(() => { button.textContent = name; }, 2000);
    });
    source.after(" ", button);
  }
})();
