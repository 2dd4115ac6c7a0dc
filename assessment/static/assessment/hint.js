// The line beside the buttons: what is ready. On small screens only what cannot wait is shown.

export function hint(words, { isUrgent = false } = {}) {
  const line = document.getElementById("hint");
  line.textContent = words;
  line.classList.toggle("urgent", isUrgent);
}
