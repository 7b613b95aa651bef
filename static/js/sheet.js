// The script of a sheet: the button to print, and explanations of numbers and words in place.
//
// The link of a number opens its explanation in a panel beside it, not on a separate page; the link of a word opens its
// meaning. The panel is a popover: Escape or a press outside closes it, and focus returns to the link.

const panel = document.getElementById("explanation");
const roomy = matchMedia("(min-width: 48rem)");
let opener = null;

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.why");
  if (!panel || !link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const number = panel.contains(link) ? opener : link;
  const open = panel.matches(":popover-open");
  if (!open) panel.replaceChildren();
  await htmx.ajax("GET", link.href, { source: number, target: panel, swap: "innerHTML" });
  const closed = open && !panel.matches(":popover-open"); // while waiting for the answer
  if (panel.firstElementChild && !closed) show(number);
});

function show(number) {
  setOpener(number);
  if (!panel.matches(":popover-open")) panel.showPopover();
  place();
  panel.scrollTop = 0;
  panel.focus({ preventScroll: true });
}

panel?.addEventListener("toggle", (event) => {
  if (event.newState !== "closed") return;
  const lost = panel.contains(document.activeElement) || document.activeElement === document.body;
  if (lost) opener?.focus({ preventScroll: true });
  setOpener(null);
});

addEventListener("resize", () => panel?.matches(":popover-open") && place());

function setOpener(link) {
  opener?.removeAttribute("aria-expanded");
  opener = link;
  opener?.setAttribute("aria-expanded", "true");
}

// Below the number if there is room, otherwise above or beside it. On a phone, the stylesheet puts it at the foot of
// the screen.
function place() {
  panel.style.left = panel.style.top = "";
  if (!roomy.matches) return;
  const gap = 8;
  const at = opener.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const right = document.documentElement.clientWidth - gap;
  const bottom = innerHeight - gap;
  let left = at.left;
  let top = at.bottom + gap;
  if (top + height > bottom) {
    top = at.top - gap - height;
    if (top < gap) {
      top = at.top;
      left = at.right + gap + width <= right ? at.right + gap : at.left - gap - width;
    }
  }
  panel.style.left = `${Math.max(gap, Math.min(left, right - width))}px`;
  panel.style.top = `${Math.max(gap, Math.min(top, bottom - height))}px`;
}

for (const button of document.querySelectorAll("[data-prints]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

// The foot of the sheet says when the shown version was saved and, on paper, where to read changes made since.
const saved = document.getElementById("saved");
if (saved) {
  const inWords = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium" });
  const tell = () => {
    const [number, moment] = document.getElementById("live").dataset.version.split(".");
    if (!moment) return; // a region was held (typed.js)
    saved.querySelector("time").textContent = inWords.format(moment / 1000);
    const address = saved.querySelector("b");
    address.textContent = address.textContent.replace(/\d+\/$/, `${number}/`);
  };
  tell();
  document.addEventListener("version", tell);
}
