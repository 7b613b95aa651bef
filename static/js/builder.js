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

// Own words that are typed in another field and not sent yet are typed in the field drawn anew.
let unsent = [];

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const fields = [...document.querySelectorAll("#builder .own-word-line input[id]")];
  const kept = fields.filter((field) => field.value !== field.defaultValue && !ctx.sourceElement.contains(field));
  unsent = kept.map(({ id, value }) => ({ id, value }));
});

document.addEventListener("htmx:after:swap", () => {
  for (const { id, value } of unsent.splice(0)) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
});

// The region is drawn anew with every answer, and a browser that holds what it sees in place would hold on to what is
// gone. So what was pressed is held here: it stays where it was, also when the fonts arrive after it, until one moves
// on. If an answer has taken it away, or the page is too short, the page goes on to the next question: its heading
// takes the focus, and is read out. A roll goes to what it has brought (`data-then`) instead.
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const onward = () => document.querySelector("#builder [data-next]");
let held = null; // where what was pressed stood, and what it stands in, from inside out; and how much was open

function outwards(element) {
  const places = [];
  for (let one = element; one && one.id !== "builder"; one = one.parentElement) {
    if (one.id) places.push({ id: one.id, top: one.getBoundingClientRect().top });
  }
  return places;
}

function hold() {
  const place = held?.places.find(({ id }) => byId(id)?.checkVisibility());
  if (!place) return false;
  const off = () => byId(place.id).getBoundingClientRect().top - place.top;
  scrollBy({ top: off(), behavior: "instant" });
  return Math.abs(off()) <= 2;
}

function goOn(then) {
  held = null;
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
  held = { pressed: id, then: dataset.then, places: outwards(pressed), open: Number(onward().dataset.next) };
  root.style.overflowAnchor = "none";
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!held) return;
  const answered = ctx.response.status < 400;
  const gone = !byId(held.pressed)?.checkVisibility() && Number(onward().dataset.next) < held.open;
  if (answered && (held.then || gone || !hold())) goOn(held.then);
  requestAnimationFrame(() => {
    hold();
    root.style.overflowAnchor = "";
  });
});

document.fonts.addEventListener("loadingdone", hold);
const letGo = () => (held = null);
for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(moved, letGo, { passive: true });
