/** Notes what a page does that no page of ours may do: errors on its console, and requests to anywhere but this machine. */
import type { BrowserContext } from "playwright-core";

export interface PageWatch {
  /** What happened so far, as sentences; empty is good. */
  trouble(): string[];
}

/** Watches every page of the context whose address begins with `origin`; requests to other machines are also cut off. */
export async function watchPages(context: BrowserContext, origin: string): Promise<PageWatch> {
  const trouble: string[] = [];
  context.on("console", (message) => {
    // Our own tools, axe among them, look into every frame; the sandbox of a mail's frame refuses them, as it should.
    if (message.text().startsWith("Blocked script execution in 'about:srcdoc'")) return;
    // The specification reads these 404 as "not counted yet" and "none"; browsers note every 404, whoever expects it.
    if (message.text().includes("404") && /\/api\/(instance\/used-limits|export\/has-backups)$/.test(message.location().url)) return;
    const page = message.page();
    // A page that is not there is a 404 of its own address.
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
