// The script of a character at play. Without it, every form posts and the page is loaded again.
//
// Answers contain the regions that changed, which are merged into the page; typed.js keeps text that is being written.
// Each press has its own key. A press that got no answer keeps its key, so that pressing again cannot do it twice.
// Others' changes are fetched when stream.js hears of them.

const live = document.getElementById("live");

// The version that the page shows; empty if a region was held (typed.js), so that everything is fetched again.
document.addEventListener("version", (event) => {
  live.dataset.version = "held" in live.dataset ? "" : event.detail.value;
  delete live.dataset.held;
});

function freshKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail;
  if (!live.contains(ctx.sourceElement)) return;
  // A refusal has changed the region of its form. So no version is sent, and the answer draws everything again.
  const refused = ctx.sourceElement.querySelector(".field-error, .notice-warn");
  if (live.dataset.version && !refused) ctx.request.headers["X-Version"] = live.dataset.version;
  const key = ctx.sourceElement.elements?.namedItem("key");
  if (!key || ctx.request.method !== "POST") return;
  ctx.request.body.set("key", key.value);
  ctx.pressed = key.value;
  key.value = freshKey();
});

function keepKey(ctx) {
  const key = ctx?.pressed && ctx.sourceElement.elements?.namedItem("key");
  if (key) key.value = ctx.pressed;
}

document.addEventListener("htmx:error", (event) => keepKey(event.detail.ctx));

document.addEventListener("htmx:before:swap", (event) => {
  if (event.detail.ctx.response?.status >= 500) keepKey(event.detail.ctx);
});

// Others' changes: when stream.js says that there is another version, the page fetches the changes. It does not while
// it is hidden, or while a press waits for its answer, which brings everything.
const watched = `character ${live.dataset.character}`;
const pressed = new Set();
const AGAIN = 5000; // milliseconds to the next try if there was no answer
const PRESSED = 1;
let wanted = ""; // the newest version, if the page may show an older one
let asking = false;
let said = ""; // the version whose sentence was announced last
let refused = {}; // the version that the regions drawn by a refusal show
document.addEventListener("refused", ({ detail }) => (refused = detail));

document.addEventListener("thing-number", ({ detail: { thing, number } }) => {
  if (thing !== watched) return;
  wanted = number;
  look();
});

async function look() {
  if (asking || pressed.size || document.hidden || !live.dataset.watch || !wanted || wanted === live.dataset.version) return;
  const [asked, shown] = [wanted, live.dataset.version];
  asking = true;
  const status = await ask(shown).catch(() => 0);
  asking = false;
  if (status === 404) return location.reload(); // the reader may no longer play the character, or see it
  if (wanted === asked && status !== PRESSED && (status || 500) < 500) wanted = "";
  if (status && status < 500) look();
  else setTimeout(look, AGAIN);
}

// Returns the status of the answer, or PRESSED if the page has changed meanwhile and has to ask again.
async function ask(shown) {
  const answer = await fetch(live.dataset.watch, { headers: { "X-Version": shown, "HX-Request": "true" }, redirect: "error" });
  return answer.status === 200 ? take(answer, shown) : answer.status;
}

async function take(answer, shown) {
  const text = await answer.text();
  const { say, version } = JSON.parse(answer.headers.get("HX-Trigger"));
  if (live.dataset.version !== shown) return PRESSED;
  // The regions of a refusal show this version already. Drawing them again would remove its sentence at once.
  const keeps = version.value === refused.version ? refused.regions : [];
  await htmx.swap({ text, sourceElement: live, target: live, swap: "none", keeps });
  document.dispatchEvent(new CustomEvent("version", { detail: version }));
  if (version.value !== said) document.dispatchEvent(new CustomEvent("say", { detail: say }));
  said = version.value;
  return answer.status;
}

// The page's title has the name in the sheet's heading, which others may change.
document.addEventListener("htmx:after:swap", () => {
  const name = document.querySelector("#identity h1")?.textContent;
  if (name) document.title = `${name} · Polyhedral`;
});

// A part of the sheet is gone (follow.js), so the reader may no longer play the character.
document.addEventListener("part-gone", () => {
  wanted = "all";
  look();
});

document.addEventListener("visibilitychange", look);
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => pressed.add(ctx));
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  pressed.delete(ctx);
  look();
});

// Regions that were held for a form can be drawn once the reader has left it.
document.addEventListener("form-left", () => {
  if (live.dataset.version) return;
  wanted ||= "all";
  look();
});

// The second of two quick taps hits the button that the first tap put in the same place, and would undo the undo. The
// same goes for a tap at a button that a slow answer, or someone else's change, has just replaced.
const TWICE = 400; // milliseconds
let undone = -TWICE; // when that button was last pressed or replaced

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (ctx.sourceElement === live || ctx.request?.submitter?.id === "undo-latest") undone = performance.now();
});

live.addEventListener("click", (event) => {
  if (!event.target.closest("#undo-latest")) return;
  if (event.timeStamp - undone < TWICE) event.preventDefault();
  undone = event.timeStamp;
});

// With Shift, a button opens the page of its roll instead.
live.addEventListener("click", (event) => {
  const button = event.target.closest("button[form=dice][name=roll]");
  if (!button || !event.shiftKey) return;
  event.preventDefault();
  const { looksAt = button.value, asks = "" } = button.dataset;
  location.assign(`${live.dataset.base}roll/${encodeURIComponent(looksAt)}/${asks}`);
});

// The heights of the tray and, on a phone, of the bar of parts below it, for the stylesheet, which keeps the focused
// field above both. The bar takes two lines at very large text sizes.
const narrow = matchMedia("(max-width: 47.99rem)");
for (const bar of document.querySelectorAll("#tray, #sections")) {
  const high = () => (bar.id === "tray" || narrow.matches ? bar.offsetHeight : 0);
  new ResizeObserver(() => document.documentElement.style.setProperty(`--${bar.id}`, `${high()}px`)).observe(bar);
}

// A panel or a counter that opens low on the screen is scrolled into sight, above the tray.
live.addEventListener(
  "toggle",
  ({ target }) => target.querySelector(":scope[open] > :is(.more-panel, .count-body)")?.scrollIntoView({ block: "nearest" }),
  true,
);

// Marks the part of the sheet in sight: the lowest one whose top is in the upper third of the screen; of several side
// by side, the first.
const BESIDE = 40; // pixels
const parts = [...document.querySelectorAll("#sections a")];

function markPart() {
  const tops = parts.map((link) => document.querySelector(link.hash)?.getBoundingClientRect().top ?? Infinity);
  const lowest = Math.max(...tops.filter((top) => top < innerHeight / 3));
  const at = Math.max(0, tops.findIndex((top) => Math.abs(top - lowest) < BESIDE));
  for (const [n, link] of parts.entries()) link.ariaCurrent = n === at ? "true" : null;
}

if (parts.length) {
  addEventListener("scroll", markPart);
  markPart();
}

// Single letters: each leads to the element that has it as `data-key`, which is a page, a part of the sheet or a
// control. A control with `data-presses` is pressed. "?" opens the list of letters.
function leadTo(target) {
  if (target.matches("a")) location.assign(target.href);
  else if ("presses" in target.dataset) target.click();
  else if (target.matches("section")) goTo(target);
  else openAndFocus(target);
}

// Goes to a part of the sheet, and focuses the first thing in it that can be pressed.
function goTo(part) {
  part.scrollIntoView();
  part.querySelector("a, button, summary")?.focus({ preventScroll: true });
}

// Escape closes the panel that a key has opened, and focuses the element that had the focus before. Enter in a field of
// the dice does not roll: it leads back to the button that opened them.
const before = new WeakMap();

function openAndFocus(target) {
  const found = target.closest("details");
  if (found && !found.contains(document.activeElement)) before.set(found, document.activeElement);
  if (found) found.open = true;
  target.focus();
  target.select?.();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector(":popover-open, dialog[open]")) return;
  const open = document.activeElement.closest(".more-of[open]") ?? document.querySelector(".menu-like[open], #dice-more[open]");
  if (!open) return;
  const inside = open.contains(document.activeElement);
  const there = before.get(open);
  open.open = false;
  if (inside) (there?.isConnected && there !== document.body ? there : open.querySelector("summary")).focus();
});

document.getElementById("dice-more")?.addEventListener("keydown", (event) => {
  const there = before.get(event.currentTarget);
  if (event.key !== "Enter" || !event.target.matches("input") || there?.getAttribute("form") !== "dice" || !there.isConnected) return;
  event.preventDefault();
  there.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  const target = [...live.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
  if (!target) return;
  event.preventDefault();
  leadTo(target);
});

for (const button of document.querySelectorAll(".keys-button")) button.hidden = false;

// A change is news in the tray for a minute. Then its message goes, or its roll folds to one line, unless the reader is
// busy with it. A page that is loaded later no longer shows it (LiveCharacter.recent).

const NEWS = 60_000; // milliseconds
let due = setTimeout(forget, NEWS);

document.addEventListener("htmx:after:swap", () => {
  clearTimeout(due);
  due = setTimeout(forget, NEWS);
});

function forget() {
  const news = document.querySelector("#latest > .latest");
  const rolled = news?.querySelector("#rolled");
  if (news?.matches(":hover, :focus-within") || rolled?.querySelector("details[open]")) due = setTimeout(forget, NEWS);
  else if (rolled) rolled.open = false;
  else news?.remove();
}
