"use strict";
/* Commands to take away: each gets a button that copies it. */
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
      getSelection()?.selectAllChildren(source);
      return false;
    }
  }

  for (const source of document.querySelectorAll("code.copied")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy quiet";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      button.textContent = (await copy(source)) ? "Copied" : "Selected";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    source.after(" ", button);
  }
})();
