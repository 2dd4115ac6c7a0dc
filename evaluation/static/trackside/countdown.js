// Converts dates in UTC to the reader's time zone. Dates of a task stay in the task's zone. The title of each date
// names both zones. Countdowns are updated twice a minute. Without this script the page shows the server's dates.
(() => {
  const MINUTE = 60_000;
  const CLOCK = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  const texts = document.currentScript.dataset; // in the language of the page
  const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  const short = new Intl.DateTimeFormat(language, CLOCK);
  const long = new Intl.DateTimeFormat(language, {
    ...CLOCK,
    weekday: "short",
    year: "numeric",
    timeZoneName: "short",
  });
  const utc = new Intl.DateTimeFormat(language, { ...CLOCK, timeZone: "UTC" });
  const filled = (words, values) => words.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const zone = long.resolvedOptions().timeZone;
  // As the server writes them: without commas, and three letters a month (British English has four for September).
  const text = (format, moment) =>
    format
      .formatToParts(moment)
      .map(({ type, value }) => (type === "month" ? value.slice(0, 3) : value.replace(",", "")))
      .join("");

  const left = (moment) => {
    const minutes = Math.max(Math.floor((moment - Date.now()) / MINUTE), 0);
    const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
    return days ? filled(texts.days, { days, hours }) : filled(texts.hours, { hours, minutes: minutes % 60 });
  };

  const write = () => {
    for (const element of document.querySelectorAll("time[datetime]")) {
      const moment = new Date(element.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      element.title = filled(texts.both, { own: text(long, moment), zone, utc: text(utc, moment) });
      if (element.dataset.local) element.textContent = text({ short, long }[element.dataset.local], moment);
    }
    for (const heading of document.querySelectorAll("[data-clock]")) heading.textContent = texts.zone;
    for (const element of document.querySelectorAll("[data-countdown]")) {
      element.textContent = left(new Date(element.dataset.countdown));
    }
  };

  document.addEventListener("DOMContentLoaded", write);
  document.addEventListener("htmx:afterSettle", write);
  setInterval(write, MINUTE / 2);
})();
