// Day or night by choice. The choice is in a cookie, so the server draws the next page right from the first byte.

const root = document.documentElement;
const slot = document.querySelector("[data-theme-slot]");
const names = { auto: "Same as device", light: "Light", dark: "Dark" };

if (slot) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  label.textContent = "Theme ";
  label.className = "theme-choice";
  for (const [value, text] of Object.entries(names)) select.add(new Option(text, value));
  select.value = root.dataset.theme ?? "auto";
  select.addEventListener("change", () => {
    const auto = select.value === "auto";
    if (auto) delete root.dataset.theme;
    else root.dataset.theme = select.value;
    document.cookie = `theme=${select.value}; path=/; samesite=lax; max-age=${auto ? 0 : 31536000}`;
  });
  label.append(select);
  slot.append(label);
}
