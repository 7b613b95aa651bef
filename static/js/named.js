// Select2 puts a box in place of a select, but does not connect the select's label with it. This names each box by the
// label and the chosen option.

const BOX = "select + .select2 :is(.select2-selection, .select2-search__field):not([aria-label])";

function name() {
  for (const box of document.querySelectorAll(BOX)) {
    const select = box.closest(".select2").previousElementSibling;
    const chosen = box.getAttribute("aria-labelledby") ?? "";
    box.id ||= `${select.id}-${box.localName}`;
    box.setAttribute("aria-label", select.getAttribute("aria-label") ?? select.labels[0].textContent.trim());
    box.setAttribute("aria-labelledby", `${box.id} ${chosen}`.trim());
  }
  document.querySelector(".select2-dropdown .select2-search__field")?.setAttribute("aria-label", "Search");
}

new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
name();
