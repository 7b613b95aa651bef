// Rows in the admin are ordered by dragging their handle, or with the arrow keys on it. The number field in each row
// stays, to be filled in by hand.

const FIELD = "[data-order]";
const ROW = "tr.form-row, .inline-related:not(.tabular)";

const rowsBeside = (row) => [...row.parentElement.children].filter((one) => one.matches(ROW) && !one.matches(".empty-form"));

// Reassigns the numbers that these rows have, in order, so that other kinds of row keep their places between them.
function number(row) {
  const fields = rowsBeside(row).map((one) => one.querySelector(FIELD));
  const numbers = fields.map((field) => Number(field.value)).sort((one, other) => one - other);
  let last = -1;
  fields.forEach((field, place) => {
    last = Math.max(numbers[place], last + 1);
    field.value = last;
  });
  row.dispatchEvent(new Event("change", { bubbles: true }));
  const rows = rowsBeside(row);
  status.textContent = `Place ${rows.indexOf(row) + 1} of ${rows.length}`;
}

// The neighbors move, not the row itself, because an element that is moved in the page loses the pointer and the focus.
function moveUp(row, rows = rowsBeside(row)) {
  const above = rows[rows.indexOf(row) - 1];
  if (above) row.after(above);
}

function moveDown(row, rows = rowsBeside(row)) {
  const below = rows[rows.indexOf(row) + 1];
  if (below) row.before(below);
}

function follow(row, y) {
  const middle = (one) => {
    const { top, height } = one.getBoundingClientRect();
    return top + height / 2;
  };
  const rows = rowsBeside(row);
  const place = rows.indexOf(row);
  if (place > 0 && y < middle(rows[place - 1])) moveUp(row, rows);
  else if (place < rows.length - 1 && y > middle(rows[place + 1])) moveDown(row, rows);
}

function addHandle(field) {
  const row = field.closest(ROW);
  const handle = document.createElement("button");
  handle.type = "button";
  handle.className = "handle";
  handle.title = handle.ariaLabel = "Move: drag, or press the arrow keys";
  if (row.matches("tr")) field.before(handle);
  else row.append(handle);
}

const status = document.createElement("p");
status.role = "status";
status.className = "visually-hidden";
document.querySelector("#content").append(status);
document.querySelectorAll(FIELD).forEach(addHandle); // also in the template that new rows are copied from

const handleOf = (event) => event.target.closest?.(".handle");

document.addEventListener("pointerdown", (event) => {
  handleOf(event)?.setPointerCapture(event.pointerId);
});

document.addEventListener("pointermove", (event) => {
  const handle = handleOf(event);
  if (!handle?.hasPointerCapture(event.pointerId)) return;
  handle.closest(ROW).classList.add("is-moving");
  follow(handle.closest(ROW), event.clientY);
});

document.addEventListener("lostpointercapture", (event) => {
  const row = handleOf(event)?.closest(".is-moving");
  if (!row) return;
  row.classList.remove("is-moving");
  number(row);
});

document.addEventListener("keydown", (event) => {
  const row = handleOf(event)?.closest(ROW);
  const move = { ArrowUp: moveUp, ArrowDown: moveDown }[event.key];
  if (!row || !move) return;
  event.preventDefault();
  move(row);
  number(row);
});
