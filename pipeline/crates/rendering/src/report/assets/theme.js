"use strict";
/* Stands in the head: the theme that a reader chose is there before anything is drawn. */
try {
  const chosen = localStorage.getItem("retile-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser may refuse storage to pages opened as files; then the system's theme holds.
}
document.documentElement.classList.add("scripted");
