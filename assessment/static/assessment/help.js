// The dialog of all keys, where a reader moves them, switches them off or adds a modifier.

const byId = (id) => document.getElementById(id);

/** `onChange` is called when names or behaviour of keys change. */
export function listenForHelp(keys, onChange) {
  const dialog = byId("all-keys");
  for (const choice of dialog.querySelectorAll("[name=shortcuts]")) {
    choice.checked = choice.value === keys.mode;
    choice.addEventListener("change", () => {
      keys.mode = choice.value;
      onChange();
    });
  }
  for (const button of dialog.querySelectorAll("[data-usual]")) {
    const { usual } = button.dataset;
    button.addEventListener("click", () => keys.startMoving(/\d/.test(usual) ? `Digit${usual}` : `Key${usual}`));
  }
  byId("close-keys").addEventListener("click", () => dialog.close());
  byId("reset-keys").addEventListener("click", () => {
    keys.reset();
    onChange();
  });
}

export const openHelp = () => byId("all-keys").showModal();
