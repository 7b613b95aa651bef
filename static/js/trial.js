// A form that, at each change, asks for its effect (house rules, content). The answer updates fields that are still as
// they were sent. A field that was changed since, or is being written, keeps its value, and the form asks again.

import { dirty } from "./dirty.js";

const form = document.querySelector('form[hx-trigger*="change"]'); // null if there is nothing to choose
const FIELD = "input:not([type=hidden]), select";
const fields = () => [...form.elements].filter((field) => field.matches(FIELD));
let asked = null; // the request in flight
let again = false; // the fields may differ from the latest request

// One request after the present one covers all changes made during it. Presses (Save, Reset) wait their turn, and each
// is sent.
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
    again ||= old !== document.activeElement; // a field that is being written reports its change when it is left
    return false;
  },
});

// By a timer, since a waiting press is sent first.
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx !== asked) return;
  asked = null;
  setTimeout(() => {
    if (again && !asked) form.dispatchEvent(new Event("change"));
  });
});

// People may choose before scripts are loaded, and browsers restore old choices. By a timer, since htmx listens only
// from its own first timer on.
setTimeout(() => {
  if (form && fields().some(dirty)) form.dispatchEvent(new Event("change"));
});
