// Tells the server the person's time zone, in which their day begins.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
// biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API
document.cookie = `zone=${zone}; path=/judging; SameSite=Lax; max-age=31536000`;
