// The preview of an element updates during typing: the form is sent as by its button "Preview", and the answer is
// shown.

const PREVIEW = "#preview";
const form = document.querySelector(`form:has(${PREVIEW} button)`);
let waiting, asked;
let saving = false; // a form that is being saved is not sent for a preview

function later() {
  if (saving) return;
  clearTimeout(waiting);
  waiting = setTimeout(draw, 400);
}

async function draw() {
  asked?.abort();
  asked = new AbortController();
  const written = new FormData(form);
  written.set("_preview", "1");
  const answer = await fetch(location.href, { method: "POST", body: written, signal: asked.signal }).catch(() => null);
  if (!answer) return; // the preview stays as it was; saving says what is wrong
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  show(page.querySelector(PREVIEW));
}

function show(drawn) {
  if (!drawn) return;
  drawn.querySelector("button")?.remove();
  document.querySelector(PREVIEW).replaceWith(drawn);
}

function stop() {
  saving = true;
  clearTimeout(waiting);
  asked?.abort();
}

if (form) {
  form.addEventListener("submit", stop);
  addEventListener("pageshow", () => (saving = false)); // the browser may restore the page as Save left it
  show(document.querySelector(PREVIEW).cloneNode(true));
  django.jQuery(form).on("input change", later); // jQuery also hears its own events, those of the search fields
}
