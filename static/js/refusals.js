// A refused form keeps its sentence while others' changes draw the page again, as it keeps what was typed (typed.js). It
// goes with the form's next answer, or once another press of the reader's own was accepted.

htmx.registerExtension("refusals", {
  htmx_before_morph_node(old, { newNode }) {
    if (!old.matches?.("form:has(.field-error)") || newNode.querySelector(".field-error")) return;
    if (old.getAttribute("action") === newNode.getAttribute("action")) return false;
  },
});
