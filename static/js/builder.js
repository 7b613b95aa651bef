// Assigning results to abilities: choosing one that another ability has swaps the two. Without script, the server
// refuses it.

import { dirty } from "./dirty.js";

let before = null;

document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-swaps] select")) before = event.target.value;
});

// If a field was changed before this script was loaded, its earlier result is unknown. Then the other ability gets a
// result that is left.
function free({ form, options }) {
  const given = new Set([...form.querySelectorAll("select")].map((one) => one.value));
  return [...options].find(({ value }) => !given.has(value))?.value;
}

document.addEventListener("change", (event) => {
  const chosen = event.target;
  if (!chosen.matches("[data-swaps] select")) return;
  for (const other of chosen.form.querySelectorAll("select")) {
    if (other !== chosen && other.value === chosen.value) other.value = before ?? free(chosen);
  }
  before = chosen.value;
});

// Responses may arrive in the wrong order: one that is older than the page is dropped.
const version = (text) => Number(/id="builder" data-version="(\d+)"/.exec(text)?.[1] ?? Infinity);

document.addEventListener("htmx:before:swap", (event) => {
  const shown = document.getElementById("builder");
  if (shown && version(event.detail.ctx.text) < Number(shown.dataset.version)) event.preventDefault();
});

// Words and ranks in other fields that are typed but not sent, or were refused, are put into the newly drawn fields.
const WRITTEN = "#builder :is(.own-word-line, .ranks) :is(input:not([type=hidden]), select)[id]";
let unsent = [];

const fields = () => [...document.querySelectorAll(WRITTEN)];
const written = () => fields().filter(dirty);
const refused = ({ form }) => form.querySelector(".field-error");

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const kept = fields().filter((field) => (dirty(field) || refused(field)) && !ctx.sourceElement.contains(field));
  unsent = kept.map(({ id, type, value }) => ({ id, type, value }));
});

document.addEventListener("htmx:after:swap", () => {
  for (const { id, type, value } of unsent.splice(0)) {
    const field = document.getElementById(id);
    if (field?.type !== type) continue;
    field.value = value;
    field.closest("details")?.setAttribute("open", "");
  }
});

// Parts that the reader has opened stay open, except the one with the answer.
let opened = [];
const partOf = (details) => `${details.closest("[id]").id} ${details.querySelector("summary").textContent.trim()}`;

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const open = [...document.querySelectorAll("#builder details[open]")];
  opened = open.filter((details) => !details.contains(ctx.request.submitter ?? ctx.sourceElement)).map(partOf);
});

document.addEventListener("htmx:after:swap", () => {
  for (const details of opened.length ? document.querySelectorAll("#builder details:not([open])") : []) {
    details.open = opened.includes(partOf(details));
  }
  opened = [];
});

// A link to another page first saves unsent fields, one form after another. After a refusal, the page stays to show it.
let leadsTo = null;

function save(href) {
  const [field] = written();
  if (!field) return location.assign(href);
  if (!field.form.reportValidity()) return;
  leadsTo = href;
  field.form.requestSubmit(field.form.querySelector("button:not(:disabled)"));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#builder a[href], #breadcrumbs a[href]");
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || elsewhere || event.defaultPrevented || link.pathname === location.pathname || !written().length) return;
  event.preventDefault();
  save(link.href);
});

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  ctx.leadsTo = leadsTo;
  leadsTo = null;
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.leadsTo && ctx.response.status < 400) save(ctx.leadsTo);
});

// If the browser itself leaves the page, it first asks if text would be lost, as on the sheet (typed.js).
window.addEventListener("beforeunload", (event) => {
  if (written().some(({ type }) => type === "text")) event.preventDefault();
});

// Every answer draws the whole region anew, so the browser's scroll anchoring would anchor to something that is gone.
// Instead, this script keeps the pressed control in its place on the screen, even when fonts arrive later, until the
// reader moves on. If the answer removed the control, or the page is too short, the page moves to the next question,
// whose heading takes the focus and is read out. After a roll, it moves to the result (`data-then`) instead.
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const onward = () => document.querySelector("#builder [data-next]");
let anchor = null; // the pressed control, the positions of its parents from inside out, and the number of questions

function outwards(element) {
  const places = [];
  for (let one = element; one && one.id !== "builder"; one = one.parentElement) {
    if (one.id) places.push({ id: one.id, top: one.getBoundingClientRect().top });
  }
  return places;
}

function keepPlace() {
  const place = anchor?.places.find(({ id }) => byId(id)?.checkVisibility());
  if (!place) return false;
  const off = () => byId(place.id).getBoundingClientRect().top - place.top;
  scrollBy({ top: off(), behavior: "instant" });
  return Math.abs(off()) <= 2;
}

function moveOn(then) {
  anchor = null;
  const to = byId(then ?? new URL(onward().href).hash.slice(1));
  const heading = to?.querySelector("h2") ?? document.querySelector("#builder .step-turn [rel=next]") ?? onward();
  (to ?? heading).scrollIntoView({ block: "start", behavior: "instant" });
  heading.focus({ preventScroll: true });
}

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "builder") return;
  const { submitter } = ctx.request;
  const pressed = submitter?.checkVisibility() ? submitter : document.activeElement;
  const { id, dataset } = pressed;
  anchor = { pressed: id, then: dataset.then, places: outwards(pressed), open: Number(onward().dataset.next) };
  root.style.overflowAnchor = "none";
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!anchor) return;
  const answered = ctx.response.status < 400;
  const gone = !byId(anchor.pressed)?.checkVisibility() && Number(onward().dataset.next) < anchor.open;
  if (answered && (anchor.then || gone || !keepPlace())) moveOn(anchor.then);
  requestAnimationFrame(() => {
    keepPlace();
    root.style.overflowAnchor = "";
  });
});

document.fonts.addEventListener("loadingdone", keepPlace);
const forget = () => (anchor = null);
for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(moved, forget, { passive: true });
