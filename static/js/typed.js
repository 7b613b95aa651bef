// Keeps typed text when a change arrives meanwhile, the reader's own or someone else's.
//
// A form with the focus or typed text keeps its fields; their new values wait until it is left or sent. If someone
// else's change would remove such a form, its whole region waits, and is fetched again later (play.js). The reader's
// own changes are always shown. Open parts stay open. When the answer to a form arrives, the form is reset, except for
// text typed since it was sent. A refused form keeps its fields as they are; when it is reset later, the refused values
// do not come back.

import { dirty } from "./dirty.js";

const live = document.getElementById("live");
const TYPED = "input:not([type=hidden]), textarea, select";
const TICKED = "[type=checkbox], [type=radio]"; // a tick is quickly set again, so nothing waits for ticks
const waiting = new WeakMap(); // field -> the newer version of it
let answered = null; // the form whose answer is being swapped in, and if it was accepted

// play.js (a sheet) and follow.js (other pages) fetch others' changes. Four signs connect them with this file:
// `ctx.sent`    the fields of the reader's own form, as they were sent; without it, a swap brings others' changes
// `ctx.keeps`   the ids of regions that a refusal has drawn by the same version: they stay, with its sentence
// `data-held`   on #live: a region was taken out of a swap, so the page does not show all of the version that it fetched
// `form-left`   an event: the reader has left a form with nothing unsent in it, so what was held may be fetched again

function fieldsOf(form) {
  return [...form.elements].filter((field) => field.matches(TYPED));
}

function beingWritten(form, fields = fieldsOf(form)) {
  return form !== answered?.form && fields.some((field) => field === document.activeElement || dirty(field));
}

function keeps(field) {
  return field.form === answered?.form ? field.matches(TYPED) && dirty(field) : beingWritten(field.form);
}

// A refusal draws the form's fields with the typed text as their default value. So they would not count as typed.
function refused(field) {
  return answered?.accepted === false && field.form === answered.form && field.matches(TYPED);
}

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement;
  if (!live.contains(form) || !form.matches("form")) return;
  const beside = ctx.request.submitter?.name === "by"; // a step of the counter: a number typed beside it waits
  ctx.sent = new Map(fieldsOf(form).filter((field) => !beside || !dirty(field)).map((field) => [field, field.value]));
});

document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  answered = ctx.sent ? { form: ctx.sourceElement, accepted: ctx.response.status < 400 } : null;
  if (answered?.accepted) {
    startAfresh(answered.form, ctx.sent);
    // The next accepted change removes a refusal beside untouched fields: its reason may be gone.
    for (const form of live.querySelectorAll("form:has(.field-error)")) fieldsOf(form).some(dirty) || forgive(form);
  }
  for (const region of ctx.keeps?.map((id) => document.getElementById(id)) ?? []) {
    for (const task of tasks.filter((one) => region?.contains(regionOf(one)))) tasks.splice(tasks.indexOf(task), 1);
  }
  // No change may remove the two texts of a conflict before the reader has chosen one.
  const without = (form) => (task) => {
    const gone = !ctx.sent && !task.fragment.getElementById(form.closest("[id]").id);
    return regionOf(task)?.contains(form) && (gone || form.querySelector(".notice-warn"));
  };
  const holdsWords = (form) => beingWritten(form, fieldsOf(form).filter((field) => !field.matches(TICKED)));
  for (const form of [...live.querySelectorAll("form")].filter(holdsWords)) {
    const at = tasks.findIndex(without(form));
    if (at < 0) continue;
    tasks.splice(at, 1);
    live.dataset.held = "";
  }
});

document.addEventListener("htmx:finally:swap", ({ detail: { ctx } }) => {
  const stays = ctx.sourceElement.matches?.("form"); // the answer may have removed the form
  if (ctx.sent && stays) fieldsOf(ctx.sourceElement).forEach((field) => dirty(field) || catchUp(field));
  if (answered?.form === ctx.sourceElement || !answered?.form.isConnected) answered = null;
});

function regionOf(task) {
  return typeof task.target === "string" ? document.querySelector(task.target) : task.target;
}

function startAfresh(form, sent) {
  const since = fieldsOf(form).filter((field) => field.value !== sent.get(field)).map((field) => [field, field.value]);
  form.reset();
  for (const [field, value] of since) field.value = value;
  forgive(form);
  if (since.length) return;
  const opened = "details[open]:not([data-stays])";
  for (const more of form.querySelectorAll(opened)) fold(more);
  for (let more = form.closest(opened); more && !written(more); more = more.parentElement.closest(opened)) fold(more);
}

function written(more) {
  return [...more.querySelectorAll("form")].some((form) => fieldsOf(form).some(dirty));
}

// A press outside closes a panel, unless something is typed in it.
document.addEventListener("pointerdown", ({ target }) => {
  for (const panel of live.querySelectorAll(".menu-like[open]")) if (!panel.contains(target) && !written(panel)) panel.open = false;
});

function forgive(form) {
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const sentence of form.querySelectorAll(".field-error")) sentence.remove();
}

// If a part with the focus is folded, focus goes to the button that opens it.
function fold(more) {
  const inside = more.contains(document.activeElement);
  more.open = false;
  if (inside) more.querySelector("summary").focus({ preventScroll: true });
}

function catchUp(field) {
  const now = waiting.get(field);
  if (!now) return;
  waiting.delete(field);
  if (field.matches("select")) field.replaceChildren(...now.cloneNode(true).children);
  else if (!field.matches(TICKED)) field.value = field.defaultValue = now.defaultValue;
}

htmx.registerExtension("typed", {
  htmx_before_morph_node(old, { newNode }) {
    if (!old.form || !old.matches?.("input, textarea, select") || !live.contains(old)) return;
    if (refused(old)) {
      for (const name of ["aria-invalid", "aria-describedby"]) {
        if (newNode.hasAttribute(name)) old.setAttribute(name, newNode.getAttribute(name));
        else old.removeAttribute(name);
      }
      return false;
    }
    if (!keeps(old)) return void waiting.delete(old);
    waiting.set(old, newNode);
    return false;
  },
  htmx_before_morph_attr(old, { attrName, newValue }) {
    if (attrName === "open" && newValue === null) return false;
  },
});

live.addEventListener("focusout", ({ target: { form } }) => {
  if (!form) return;
  setTimeout(() => {
    if (beingWritten(form)) return;
    [...form.elements].forEach(catchUp);
    document.dispatchEvent(new Event("form-left"));
  });
});

// Asks before unsent text is lost. Numbers (fields with an inputmode) are quickly typed again.
const WORDS = "textarea, input:not([type=hidden], [type=checkbox], [type=radio], [inputmode])";

window.addEventListener("beforeunload", (event) => {
  if ([...live.querySelectorAll(WORDS)].some((field) => field.form?.matches("[hx-post]") && dirty(field))) event.preventDefault();
});

// Escape discards the unsent text of a field.
live.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("input, textarea") && dirty(event.target)) {
    event.target.value = event.target.defaultValue;
    event.target.select?.();
    event.preventDefault(); // so that only the next Escape closes the panel around the field
  }
});
