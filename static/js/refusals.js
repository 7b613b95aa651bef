// A refused form keeps its sentence while others' changes draw the page again, just as it keeps typed text (typed.js).
// The sentence goes with the form's next answer, or when another press of the reader is accepted.

htmx.registerExtension("refusals", {
  htmx_before_morph_node(old, { newNode }) {
    if (!old.matches?.("form:has(.field-error)") || newNode.querySelector(".field-error")) return;
    if (old.getAttribute("action") === newNode.getAttribute("action")) return false;
  },
});
