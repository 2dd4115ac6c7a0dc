// The line beside the buttons. Small screens show urgent hints only.

export function hint(words, { isUrgent = false } = {}) {
  const line = document.getElementById("hint");
  line.textContent = words;
  line.classList.toggle("urgent", isUrgent);
}
