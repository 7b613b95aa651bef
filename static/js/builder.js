// Handing out results: choosing one that another ability has swaps the two. Without script the server says so instead.

let before = null;

document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-swaps] select")) before = event.target.value;
});

document.addEventListener("change", (event) => {
  const chosen = event.target;
  if (!chosen.matches("[data-swaps] select")) return;
  for (const other of chosen.form.querySelectorAll("select")) {
    if (other !== chosen && other.value === chosen.value) other.value = before;
  }
  before = chosen.value;
});

// Two answers may come back in another order than they were given: one older than what is shown is dropped.
const version = (text) => Number(/id="builder" data-version="(\d+)"/.exec(text)?.[1] ?? Infinity);

document.addEventListener("htmx:before:swap", (event) => {
  const shown = document.getElementById("builder");
  if (shown && version(event.detail.ctx.text) < Number(shown.dataset.version)) event.preventDefault();
});
