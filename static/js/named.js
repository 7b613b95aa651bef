// Select2 puts a box in the place of a select and leaves the select's label behind. Each box is named by that label and
// by what is chosen in it.

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
