// An encounter, or the screen of one: drawn anew when the site says that the table or one of its characters has changed
// (told.js), and passed on by the storyteller's keys. Nothing that somebody is writing is drawn over.

const place = () => document.getElementById("encounter") ?? document.getElementById("screen");
const shown = () => new Map(place().dataset.told.split(";").map((one) => one.split("=")));
const wanted = new Map();
const SOON = 50; // milliseconds: a turn moves several things at once
let asking = false;

document.addEventListener("told", ({ detail: { thing, number } }) => {
  wanted.set(thing, number);
  setTimeout(look, SOON);
});

function isWritten() {
  const fields = [...place().querySelectorAll("input:not([type=hidden], [readonly]), textarea")];
  return fields.some((one) => one.value !== one.defaultValue || one === document.activeElement);
}

async function look() {
  const now = shown();
  const moved = [...wanted].some(([thing, number]) => now.has(thing) && now.get(thing) !== number);
  if (!moved || asking || document.hidden || isWritten()) return;
  asking = true;
  const asked = new Map(wanted);
  const answer = await fetch(location.pathname, { redirect: "error" }).catch(() => null);
  const text = await answer?.text();
  asking = false;
  if (answer?.status === 404) location.reload();
  else if (answer?.ok && !isWritten()) take(text, asked);
}

function take(text, asked) {
  const before = place();
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(before.id);
  if (!fresh) return;
  const focused = document.activeElement?.id;
  for (const open of before.querySelectorAll("details[open][id]")) fresh.querySelector(`#${open.id}`)?.setAttribute("open", "");
  before.replaceWith(fresh);
  htmx.process(fresh);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  for (const [thing, number] of asked) if (wanted.get(thing) === number) wanted.delete(thing);
  look();
}

document.addEventListener("focusout", () => setTimeout(look, SOON));
document.addEventListener("visibilitychange", look);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  const button = /^[a-z]$/.test(event.key) && document.querySelector(`[data-press="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
