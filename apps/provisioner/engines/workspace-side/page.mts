/** The page a person sees where a sign-in link does not work. */
import type { Response } from "./handler.mts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;background:#f6f7f9;color:#171a21}
main{max-width:26rem;margin:2rem;padding:2rem;background:#fff;border:1px solid #dfe2e8;border-radius:12px}
h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0 0 1.25rem;color:#475063}a{color:#2f5bd7;font-weight:600}
@media(prefers-color-scheme:dark){body{background:#12141a;color:#eceef3}main{background:#1a1d25;border-color:#2c313d}p{color:#a9b0c0}a{color:#8fadff}}`;

/** Sends a page with a heading, a sentence and the way back to the panel. */
export function sendPage(response: Response, status: number, heading: string, sentence: string, panelUrl: string): void {
  response
    .status(status)
    .set("Cache-Control", "no-store")
    .set("Referrer-Policy", "no-referrer")
    .set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    .type("html")
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(heading)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(heading)}</h1><p>${escapeHtml(sentence)}</p><a href="${escapeHtml(panelUrl)}">Back to the panel</a></main></body></html>`);
}
