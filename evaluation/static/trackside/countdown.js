// Dates on the reader's own clock: each time element says its moment in the reader's zone when pointed at, and a
// countdown goes on while the page is open. Without this script the page shows what the server wrote.
(() => {
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
  const MINUTE = 60_000;

  const left = (moment) => {
    const minutes = Math.max(Math.floor((moment - Date.now()) / MINUTE), 0);
    const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
    return days ? `${days} d ${hours} h` : `${hours} h ${minutes % 60} min`;
  };

  const write = () => {
    for (const element of document.querySelectorAll("time[datetime]")) {
      const moment = new Date(element.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      element.title = `${local.format(moment)}, your time`;
    }
    for (const element of document.querySelectorAll("[data-countdown]")) {
      element.textContent = left(new Date(element.dataset.countdown));
    }
  };

  document.addEventListener("DOMContentLoaded", write);
  document.addEventListener("htmx:afterSettle", write);
  setInterval(write, MINUTE / 2);
})();
