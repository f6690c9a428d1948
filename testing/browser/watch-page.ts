/** Records what our pages must never do: log errors to the console, or make requests to other machines. */
import type { BrowserContext } from "playwright-core";

export interface PageWatch {
  /** What happened so far, as sentences; empty is good. */
  trouble(): string[];
}

/** Watches every page of the context whose URL begins with `origin`; requests to other machines are also blocked. */
export async function watchPages(context: BrowserContext, origin: string): Promise<PageWatch> {
  const trouble: string[] = [];
  context.on("console", (message) => {
    // Our tools, including axe, inspect every frame; the sandbox of a mail's frame refuses them, as it should.
    if (message.text().startsWith("Blocked script execution in 'about:srcdoc'")) return;
    // Here a 404 means "not counted yet" or "none"; browsers log every 404, even an expected one.
    if (message.text().includes("404") && /\/api\/(instance\/used-limits|export\/has-backups)$/.test(message.location().url)) return;
    const page = message.page();
    // A page that does not exist is a 404 at its own URL.
    if (message.text().includes("404") && message.location().url === page?.url()) return;
    if (message.type() === "error" && page?.url().startsWith(origin))
      trouble.push(`console error on ${page.url()}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => {
    if (error.page()?.url().startsWith(origin)) trouble.push(`error on ${error.page()?.url()}: ${error.error().message}`);
  });
  await context.route(/^(?!https?:\/\/([a-z0-9-]+\.)?localhost[:/]|data:|blob:|about:)/, async (route) => {
    if (route.request().frame().url().startsWith(origin)) trouble.push(`a request to ${route.request().url()}`);
    await route.abort();
  });
  return { trouble: () => trouble };
}
