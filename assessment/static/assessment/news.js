// What the server has stored of the assessor's since the page knows its history: other tabs and devices judge, too.

const PATIENCE = 1_000; // ms until the page takes keys although the server has not answered; conflicts show later
const NEWS = /<script id="news"[^>]*>([^<]*)<\/script>/;

export class News {
  #start;
  #onNews;

  /** `onNews({as_of, events})` gets the news of each answer. */
  constructor(start, onNews) {
    [this.#start, this.#onNews] = [start, onNews];
  }

  /**
   * Asks for the news together with the content of a place, by `request(address)`; resolves once they are applied, or
   * after a second.
   */
  async read(place, prefetch, request = (address) => this.fetch(address)) {
    if (!navigator.onLine || !this.#start.as_of) return;
    const isRead = prefetch.reload(place, request).catch(() => {});
    await Promise.race([isRead, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }

  /** The server's content at the address, without the news that came with it. */
  async fetch(address) {
    const since = encodeURIComponent(this.#start.as_of);
    const response = await fetch(`${address}${address.includes("?") ? "&" : "?"}since=${since}`, { redirect: "error" });
    if (!response.ok) return response;
    const text = await response.text();
    const [, news] = text.match(NEWS) ?? [];
    if (news) this.#onNews(JSON.parse(news));
    return new Response(text.replace(NEWS, ""), { headers: { "Content-Type": response.headers.get("Content-Type") } });
  }
}
