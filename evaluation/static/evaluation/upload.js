// The upload form with a place to drop the file and the progress of its bytes. Without this script the form
// is an ordinary one: the browser sends it, and shows the page that comes back.

const form = document.getElementById("upload");
const input = form.querySelector("input[type=file]");
const drop = document.getElementById("drop");
const chosen = document.getElementById("chosen");
const state = document.getElementById("sending");
const bar = state.querySelector("progress");
const words = state.querySelector("p");

const size = (bytes) => (bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`);

function showChosen() {
  const [file] = input.files;
  chosen.textContent = file ? `${file.name}, ${size(file.size)}` : "Or drop the file here.";
}

function tell(text, kind = "") {
  words.className = `st ${kind}`;
  words.textContent = text;
}

/** Shows the form that came back, with what is wrong with it; the file that was chosen stays chosen. */
function showAnswer(html) {
  const answer = new DOMParser().parseFromString(html, "text/html");
  const errors = [...answer.querySelectorAll("#upload [role=alert], #upload .errorlist li")];
  tell(
    errors.map((each) => each.textContent.trim()).join(" ") || "The upload was refused. Load the page again.",
    "bad",
  );
  bar.hidden = true;
}

function send(event) {
  event.preventDefault();
  const request = new XMLHttpRequest();
  const button = form.querySelector("button.first");
  const stay = (text) => {
    bar.hidden = true;
    tell(text, "bad");
    button.disabled = false;
  };
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.max = total;
    bar.value = loaded;
    tell(
      loaded < total ? `Sending: ${size(loaded)} of ${size(total)}` : "All bytes are sent. Waiting for the receipt.",
    );
  });
  request.addEventListener("load", () => {
    button.disabled = false;
    if (request.responseURL && new URL(request.responseURL).pathname !== location.pathname) {
      location.assign(request.responseURL);
    } else if (request.status < 500) {
      showAnswer(request.responseText);
    } else {
      stay("The site could not take the file. Nothing was kept: try again.");
    }
  });
  request.addEventListener("error", () => stay("The connection broke. Nothing was kept: try again."));
  request.addEventListener("timeout", () => stay("The site does not answer. Look at your runs, then try again."));
  request.open("POST", location.href);
  state.hidden = bar.hidden = false;
  button.disabled = true;
  tell("Sending");
  request.send(new FormData(form));
}

function take(event) {
  event.preventDefault();
  drop.classList.remove("over");
  if (event.dataTransfer.files.length) {
    input.files = event.dataTransfer.files;
    showChosen();
  }
}

input.addEventListener("change", showChosen);
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", take);
form.addEventListener("submit", send);
showChosen();
