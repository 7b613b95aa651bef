// Menus, which Escape and a press outside close. Escape also closes "More" in the bar under the roster. Also dialogs
// that a button opens, and the side sheet, which is always open if there is room for it.

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const open = document.querySelector(":is(.menu, .hand-more)[open]");
    if (!open) return;
    const inside = open.contains(document.activeElement);
    open.open = false;
    if (inside) open.querySelector("summary").focus();
  } else if (event.key === "?" && !event.target.closest("input, textarea, select, [contenteditable]")) {
    document.querySelector("dialog[data-keyboard-help]:not([open])")?.showModal();
  }
});

document.addEventListener("pointerdown", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// After a dialog, the browser restores the focus. If the element is gone, or none had the focus, focus the page.
document.addEventListener(
  "close",
  ({ target: dialog }) => {
    const { activeElement } = document;
    const lost = activeElement === document.body || dialog.contains(activeElement);
    if (lost) document.getElementById("main").focus({ preventScroll: true });
  },
  true,
);

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
});

// On a phone the steps scroll sideways. Bring the current one into sight without moving the page.
const step = document.querySelector(".step-nav [aria-current]");
if (step) {
  const list = step.closest("ol");
  list.scrollLeft = step.offsetLeft - (list.clientWidth - step.clientWidth) / 2;
}

const wide = matchMedia("(min-width: 62rem)");
const sides = ".side-sheet > details:not([data-asked])"; // an answer stays open
const fitSideSheet = () => document.querySelectorAll(sides).forEach((sheet) => (sheet.open = wide.matches));
wide.addEventListener("change", fitSideSheet);
fitSideSheet();
