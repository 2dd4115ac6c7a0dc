// What the server has stored of the assessor's since the page knows its history: other tabs and devices judge, too.

const PATIENCE = 1_000; // ms until the page takes keys although the server has not answered; conflicts show later
const NEWS = /<script id="news"[^>]*>([^<]*)<\/script>/;

export class News {
  #start;
  #store;
  #onNews;

  /** `store` keeps cells for work without a connection; `onNews({as_of, events})` gets the news of each answer. */
  constructor(start, store, onNews) {
    [this.#start, this.#store, this.#onNews] = [start, store, onNews];
    store.request = (address) => this.#fetch(address);
  }

  /** Stores the cells that came with the page, which are those of `wall`; `address` is theirs. */
  keepShown(wall, address) {
    const { dataset, outerHTML } = document.getElementById("cells");
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    if (Number(dataset.wall) === wall) this.#store.keep(address, new Response(outerHTML, { headers }));
  }

  /** Asks for the news together with the cells of a wall; resolves once they are applied, or after a second. */
  async read(wall, prefetch) {
    if (!navigator.onLine) return;
    const isRead = prefetch.reload(wall, (address) => this.#store.fetch(address)).catch(() => {});
    await Promise.race([isRead, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }

  async #fetch(address) {
    const since = encodeURIComponent(this.#start.as_of);
    const response = await fetch(`${address}&since=${since}`, { redirect: "error" });
    if (!response.ok) return response;
    const text = await response.text();
    const [, news] = text.match(NEWS) ?? [];
    if (news) this.#onNews(JSON.parse(news));
    return new Response(text.replace(NEWS, ""), { headers: { "Content-Type": response.headers.get("Content-Type") } });
  }
}
