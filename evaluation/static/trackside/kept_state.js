/* Keeps the reader's state when htmx replaces a part of the page: what is open, scrolled or selected.
   Elements are recognized by their id. htmx itself keeps the focus. */
(() => {
  const opened = new Map(); // whether each <details> that the reader opened or closed is open
  let scrolled = new Map(); // left and top, during a replacement

  document.addEventListener("click", (event) => {
    const details = event.target.closest("summary")?.closest("details[id]");
    if (details && !event.defaultPrevented) opened.set(details.id, !details.open); // keys click, too
  });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const selection = getSelection();
    const isSelected = selection.type === "Range" && selection.containsNode(detail.target, true);
    if (isSelected && detail.requestConfig?.verb === "get") detail.shouldSwap = false; // the next poll replaces it
    scrolled = new Map();
    for (const element of detail.target.querySelectorAll(".scroll[id]")) {
      scrolled.set(element.id, [element.scrollLeft, element.scrollTop]);
    }
  });

  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, isOpen] of opened) {
      const details = document.getElementById(id);
      if (details) details.open = isOpen;
    }
    for (const [id, place] of scrolled) document.getElementById(id)?.scrollTo(...place);
  });
})();
