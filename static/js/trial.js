// A form that asks at each change what it would bring (house rules, content). Its answer is put into the fields that are
// still as they were sent; one that was changed since, or is being written, keeps its value, and the form asks again.

import { dirty } from "./dirty.js";

const form = document.querySelector('form[hx-trigger*="change"]'); // none where there is nothing to choose
const FIELD = "input:not([type=hidden]), select";
const fields = () => [...form.elements].filter((field) => field.matches(FIELD));
let asked = null; // the request that is on its way
let again = false; // the fields may say something else than the latest request

// Of the changes during a request the next one tells all. A press (Save, Reset) waits its turn, and none is left out.
document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.sourceElement !== form) return;
  again = Boolean(asked && !ctx.request.submitter);
  if (again) event.preventDefault();
  else ctx.sent = new Map(fields().map((field) => [field, field.value]));
});

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement === form) asked = ctx;
});

htmx.registerExtension("trial", {
  htmx_before_morph_node(old, { newNode }) {
    if (!asked || old.form !== form || !old.matches(FIELD)) return;
    if (old.value === asked.sent.get(old)) {
      if (old.value !== newNode.value) old.value = newNode.value;
      return;
    }
    again ||= old !== document.activeElement; // one that is being written tells of its change when it is left
    return false;
  },
});

// A timer, since the next press that waits is sent first.
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx !== asked) return;
  asked = null;
  setTimeout(() => {
    if (again && !asked) form.dispatchEvent(new Event("change"));
  });
});

// Somebody may choose before the scripts are there, and the browser brings old choices back. A timer, since htmx listens
// from its own first timer on.
setTimeout(() => {
  if (form && fields().some(dirty)) form.dispatchEvent(new Event("change"));
});
