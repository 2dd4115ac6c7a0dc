// Adds a drop area and a progress bar to the upload form. Without this script the browser sends the form and shows
// the response.

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

function showState(text, kind = "") {
  words.className = `st ${kind}`;
  words.textContent = text;
}

/** Shows the errors of the returned form; the chosen file stays chosen. */
function showErrors(html) {
  const returned = new DOMParser().parseFromString(html, "text/html");
  const errors = [...returned.querySelectorAll("#upload [role=alert], #upload .errorlist li")];
  showState(
    errors.map((each) => each.textContent.trim()).join(" ") || "The upload was refused. Load the page again.",
    "bad",
  );
  bar.hidden = true;
}

function send(event) {
  event.preventDefault();
  const request = new XMLHttpRequest();
  const button = form.querySelector("button.first");
  const fail = (text) => {
    bar.hidden = true;
    showState(text, "bad");
    button.disabled = false;
  };
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.max = total;
    bar.value = loaded;
    showState(
      loaded < total ? `Sending: ${size(loaded)} of ${size(total)}` : "All bytes are sent. Waiting for the site.",
    );
  });
  request.addEventListener("load", () => {
    button.disabled = false;
    if (request.responseURL && new URL(request.responseURL).pathname !== location.pathname) {
      location.assign(request.responseURL);
    } else if (request.status < 500) {
      showErrors(request.responseText);
    } else {
      fail("The site could not store the file. Try again.");
    }
  });
  request.addEventListener("error", () => fail("The connection broke. Look at your runs, then try again."));
  request.open("POST", location.href);
  state.hidden = bar.hidden = false;
  button.disabled = true;
  showState("Sending");
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
