// The storyteller's keys in an encounter: a button's letter presses it, unless something is being typed. Dragging a
// line by its number changes the order: on drop, the line's form sends the combatant that it was dropped beside.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  const button = /^[a-z]$/.test(event.key) && document.querySelector(`[aria-keyshortcuts="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});

let dragged = null; // the line, and the button of its form that moves it to `over`

function forget() {
  for (const line of document.querySelectorAll(".fight-line.is-moving, .fight-line[data-drop]")) {
    line.classList.remove("is-moving");
    delete line.dataset.drop;
  }
  dragged = null;
}

document.addEventListener("pointerdown", (event) => {
  const line = event.target.closest(".fight-place")?.closest(".fight-line");
  if (!line || event.button) return;
  event.preventDefault();
  event.target.setPointerCapture(event.pointerId);
  dragged = { line };
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const { line } = dragged;
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest(".fight-line");
  forget();
  line.classList.add("is-moving");
  dragged = { line };
  if (!over || over === line) return;
  const way = over.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING ? "up" : "down";
  over.dataset.drop = way;
  dragged = { line, over, way };
});

document.addEventListener("pointerup", () => {
  const { line, over, way } = dragged ?? {};
  forget();
  if (!over) return;
  const form = line.querySelector("form:has([name=beside])");
  form.elements.namedItem("beside").setAttribute("value", over.dataset.combatant);
  form.requestSubmit(form.querySelector(`[value=${way}]`));
});

document.addEventListener("pointercancel", forget);
document.addEventListener("keydown", (event) => event.key === "Escape" && forget());
