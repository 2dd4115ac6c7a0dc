/* Follows the link named by its key in data-key, except while a field has the focus. */
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  document.querySelector(`a[data-key="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
});
