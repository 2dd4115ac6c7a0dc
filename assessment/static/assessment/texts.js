// Texts in the language of the page, which the server writes into it.

const texts = JSON.parse(document.getElementById("texts").textContent);

/** The text of a name, with `values` in place of the names in braces. */
export const say = (name, values = {}) => texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
