// For every htmx request: focus survives the swap, failures are shown and keep typed text, and the status region
// announces results. Without script none of this is needed: forms post and redirect.

const banner = document.getElementById("banner");
const status = document.getElementById("status");

function say(sentence) {
  const line = document.createElement("p");
  line.textContent = sentence;
  status.replaceChildren(line);
  setTimeout(() => line.remove(), 6000);
}

function warn(sentence, { action, href, danger = true } = {}) {
  banner.classList.toggle("banner-danger", danger);
  banner.querySelector("[data-banner-text]").textContent = sentence;
  const link = banner.querySelector("[data-banner-action]");
  link.hidden = !action;
  link.target = action === "Sign in" ? "_blank" : "";
  link.textContent = action ?? "";
  if (href) link.href = href;
  banner.hidden = false;
}

function calm() {
  banner.hidden = true;
}

// A button with its own address (`formaction`) is sent there with script as well.
document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  request.action = request.submitter?.getAttribute("formaction") || request.action;
});

// The token changes with every sign-in, which may be in another tab, so send the present one.
document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (request.method === "GET") request.body.delete("csrfmiddlewaretoken");
  else if (token) {
    request.headers["X-CSRFToken"] = token;
    if (request.body.has("csrfmiddlewaretoken")) request.body.set("csrfmiddlewaretoken", token);
  }
});

function signedOut() {
  const href = `${document.body.dataset.login}?next=${encodeURIComponent(location.pathname + location.search)}`;
  const why = "You have been signed out, or this browser has lost its cookies.";
  warn(`${why} Sign in again in another tab; what you typed is still here.`, { action: "Sign in", href });
}

// Also used for requests that a page makes by itself (play.js).
document.addEventListener("signed-out", signedOut);
document.addEventListener("signed-in", calm);

// These refusals contain their form, with the sentence at the field, and are swapped in. Others leave the page alone.
const SWAPPED = new Set([409, 422]);
const SENTENCES = {
  400: "The site could not read that. Nothing was changed.",
  403: "That is not allowed, or this page is out of date. Nothing was changed; what you typed is still here.",
  404: "That is no longer here. Reload the page.",
  408: "That took too long to arrive, and nothing was changed. Try again with a better connection.",
  413: "That is more than this site takes at once. Nothing was saved.",
  429: "Too many tries. Wait a few minutes, then try again; what you typed is still here.",
  503: "The site is busy, or someone is working on it. Try again in a moment; what you typed is still here.",
  507: "The site cannot save anything at the moment. What you typed is still here; try again later.",
};

document.addEventListener("htmx:before:response", (event) => {
  const { ctx } = event.detail;
  const { redirected, url } = ctx.response.raw;
  const signIn = redirected && new URL(url).pathname === document.body.dataset.login;
  const code = signIn ? 401 : ctx.response.status;
  unanswered = false;
  if (code < 400) {
    calm();
    return;
  }
  if (code === 401) signedOut();
  else if (!SWAPPED.has(code)) {
    const fallback = "Something went wrong here, and your last step may not be saved. What you typed is still here.";
    const stale = code === 403 || code === 404;
    warn(SENTENCES[code] ?? fallback, stale ? { action: "Reload", href: location.href } : {});
  }
  if (!SWAPPED.has(code)) ctx.swap = "none";
});

const OFFLINE = "You are offline. Changes are not saved until the connection is back.";
const AWAY = "The connection is lost. This page may be out of date; it catches up by itself.";
let unanswered = false; // one of the reader's own presses got no answer
const warnedOf = (sentence) => !banner.hidden && banner.querySelector("[data-banner-text]").textContent === sentence;

document.addEventListener("htmx:error", (event) => {
  if (!event.detail.ctx) return;
  unanswered = true;
  warn("The site cannot be reached. Press again when it is back: it counts only once. What you typed is still here.");
});

// The connection for others' changes is lost (stream.js).
document.addEventListener("lost", () => {
  if (!unanswered && banner.hidden) warn(AWAY, { danger: false });
});

document.addEventListener("reached", () => {
  if (unanswered) warn("The site is back. Press again to save what you typed.", { danger: false });
  else if (warnedOf(AWAY)) {
    calm();
    say("Connected again. This page is up to date.");
  }
  unanswered = false;
});

window.addEventListener("offline", () => warn(OFFLINE, { danger: false }));
window.addEventListener("online", () => {
  if (warnedOf(OFFLINE)) calm(); // a press without an answer still has to be repeated
  say("Back online.");
});

banner.querySelector("[data-banner-close]").addEventListener("click", calm);

// An answer may announce something by HX-Trigger: {"say": {"value": "Saved at 20:14"}}.
document.addEventListener("say", (event) => say(event.detail.value));

// Focus: htmx keeps it on an element whose id is in the answer. After a refusal it goes to the first field with an
// error, or to the sentence above a question's options, unless the form was sent by a mere change: by then, the reader
// is in the next field. Otherwise the control is found again by its id, or by its name and value within the same
// parent, since elsewhere the same name may belong to another thing. If it is gone, disabled or folded away, focus goes
// to the parent.
let focused = null;

function addressOf(element) {
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (!element.name) return null;
  const inside = element.parentElement.closest("[id]");
  const oneOfSeveral = element.value && element.matches("button, [type=radio], [type=checkbox]");
  const value = oneOfSeveral ? `[value="${CSS.escape(element.value)}"]` : "";
  return `${inside ? `#${CSS.escape(inside.id)} ` : ""}[name="${CSS.escape(element.name)}"]${value}`;
}

// The ids of an element's parents, from inside out, without forms, since a form is only a part of the row it changes.
function around(element) {
  const ids = [];
  for (let one = element?.parentElement; one && one.localName !== "main"; one = one.parentElement) {
    if (one.id && one.localName !== "form") ids.push(one.id);
  }
  return ids;
}

// The place for the focus in a row: its heading, or the control that opens it. If the row is gone or empty, it is the
// heading above, not another row.
function nearest(ids) {
  const [row, ...outer] = ids.map((id) => document.getElementById(id));
  const place = row?.textContent.trim() && (row.querySelector(HEADING) ?? row.querySelector("summary") ?? row);
  if (place && !gone(place)) return place;
  const headings = [row, ...outer].map((one) => one?.querySelector(HEADING));
  return headings.find((heading) => heading && !gone(heading)) ?? outer.find(Boolean);
}

function gone(element) {
  return !element.isConnected || element.matches(":disabled") || !element.checkVisibility();
}

document.addEventListener("htmx:before:swap", () => {
  const element = document.activeElement ?? document.body;
  focused = { element, address: addressOf(element), around: around(element) };
});

const HEADING = "h1, h2, h3";
const WRONG = '.error-summary, [aria-invalid="true"], fieldset > .field-error';

document.addEventListener("htmx:after:swap", (event) => {
  const before = focused;
  focused = null;
  const { ctx } = event.detail;
  const now = document.activeElement ?? document.body;
  // A heading that was given the focus loses it when it is drawn again, because the new one has no `tabindex`.
  const lost = before && before.element !== document.body && (now === document.body || gone(now));
  const refused = SWAPPED.has(ctx?.response?.status) && ctx.sourceEvent.type !== "change";
  const form = ctx?.sourceElement?.isConnected ? ctx.sourceElement : document;
  const wrong = refused && (form.querySelector(WRONG) ?? (lost && document.querySelector('.field-error[role="alert"]')));
  if (!wrong && !lost) return;
  const again = lost && before.address && document.querySelector(before.address);
  const same = again && !gone(again) ? again : null;
  const near = lost && nearest(before.around);
  const target = document.getElementById(ctx?.target?.id ?? "");
  const next = wrong || same || near || target?.querySelector(HEADING) || target;
  if (!next) return;
  if (next.tabIndex < 0 && !next.hasAttribute("tabindex")) next.tabIndex = -1;
  // Without scrolling: parents are near, and someone else's change may remove a control that the reader left long ago.
  next.focus({ preventScroll: !wrong && (next === same || next === near) });
});

// The pressed button may be elsewhere now: scroll to it if it is out of sight.
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const { activeElement } = document;
  if (ctx?.sourceElement?.matches?.("form") && activeElement !== document.body) activeElement.scrollIntoView({ block: "nearest" });
});

// A link to a place on the page (`#picked`) moves the focus there.
document.addEventListener("htmx:after:swap", (event) => document.getElementById(event.detail.ctx?.request?.anchor ?? "")?.focus());

document.addEventListener("htmx:before:request", (event) => event.detail.ctx.target?.setAttribute?.("aria-busy", "true"));
document.addEventListener("htmx:finally:request", (event) => event.detail.ctx.target?.removeAttribute?.("aria-busy"));
