// A field is dirty if its value differs from the one it was drawn with. A menu without a chosen option is drawn with
// its first.

export function dirty(field) {
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  if (!field.matches("select")) return field.value !== field.defaultValue;
  const options = [...field.options];
  const drawn = options.some((option) => option.defaultSelected) ? (option) => option.defaultSelected : (option) => option === options[0];
  return options.some((option) => option.selected !== drawn(option));
}
