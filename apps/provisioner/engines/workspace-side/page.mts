/** The few pages of a workspace itself: for sign-in links that do not work, and for signing in again. */
import type { Response } from "./handler.mts";
import type { Language } from "./reader-language.mts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

/** Looks like the gateway's pages (apps/gateway/refusals/refusal-look.ts). */
const style = `*{box-sizing:border-box}body{font:16px/1.5 "Inter Variable",Inter,system-ui,sans-serif;margin:0;display:flex;flex-direction:column;min-height:100vh;background:#0b1f24 linear-gradient(to bottom right,#0b1f24,#0d3a43) fixed;color:#0d2024}
.brand{display:flex;align-items:center;gap:10px;width:100%;max-width:72rem;margin:0 auto;padding:20px 24px;color:#eaf4f4;font-weight:650}
main{width:calc(100% - 2rem);max-width:30rem;margin:auto;padding:2rem;background:#fff;border:1px solid rgb(255 255 255/.1);border-radius:16px;box-shadow:0 4px 12px rgb(6 24 28/.14),0 16px 40px rgb(6 24 28/.18)}
h1{font-size:1.5rem;line-height:1.3;letter-spacing:-.015em;margin:0 0 .5rem}p{margin:0 0 1.25rem;color:#46595d;overflow-wrap:anywhere}a{color:#0b5c68;font-weight:600}a:focus-visible{outline:2px solid;outline-offset:3px}
.button{display:block;padding:.6rem 1rem;border-radius:8px;background:#0b5c68;color:#fff;text-align:center;text-decoration:none}.button:hover{background:#084851}ul{list-style:none;margin:1.25rem 0 0;padding:0}li{margin:.75rem 0 0}
@media(prefers-color-scheme:dark){body{color:#e8f0f0}main{background:#111d20}p{color:#a5b8bb}a{color:#5ccbd0}.button{background:#5ccbd0;color:#06262b}.button:hover{background:#85dfe2}}`;

const brand =
  '<header class="brand"><svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c68"/><path d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z" fill="#fff" transform="rotate(14 16 14)"/><path d="M5 19.2 27 25" stroke="#7fe3e4" stroke-width="2.6" stroke-linecap="round"/></svg><span>Slipway</span></header>';

interface Link {
  label: string;
  href: string;
}

interface Document {
  language: Language;
  heading: string;
  sentences: readonly string[];
  button?: Link;
  links?: readonly Link[];
  /** Where the browser is sent automatically. */
  continueAt?: string;
}

const anchor = ({ label, href }: Link, className = ""): string =>
  `<a${className && ` class="${className}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;

/** Sends a page of text and links; all text is escaped. */
export function sendDocument(
  response: Response,
  status: number,
  { language, heading, sentences, button, links = [], continueAt }: Document,
): void {
  const title = escapeHtml(heading);
  const paragraphs = sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join("");
  const refresh = continueAt === undefined ? "" : `<meta http-equiv="refresh" content="0;url=${escapeHtml(continueAt)}">`;
  const list = links.length === 0 ? "" : `<ul>${links.map((link) => `<li>${anchor(link)}</li>`).join("")}</ul>`;
  response
    .status(status)
    .set("Cache-Control", "no-store")
    .set("Referrer-Policy", "no-referrer")
    .set("X-Frame-Options", "DENY")
    .set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .type("html")
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">${refresh}<title>${title}</title><style>${style}</style></head><body>${brand}<main><h1>${title}</h1>${paragraphs}${button ? anchor(button, "button") : ""}${list}</main></body></html>`,
    );
}

const back: Record<Language, string> = { en: "Back to the panel", de: "Zurück zum Panel" };

/** The link back to the panel. */
export const backTo = (panelUrl: string, language: Language): Link => ({ label: back[language], href: panelUrl });

/** A heading, a sentence and a link back to the panel. */
interface ShortPage {
  language: Language;
  words: readonly [heading: string, sentence: string];
  panelUrl: string;
}

export function sendPage(response: Response, status: number, { language, words: [heading, sentence], panelUrl }: ShortPage): void {
  sendDocument(response, status, { language, heading, sentences: [sentence], links: [backTo(panelUrl, language)] });
}

/** What every engine's workspace answers before it has an owner. */
export const settingUpWords: Record<Language, ShortPage["words"]> = {
  en: ["This workspace is still being set up", "Give it a few seconds, then open it from the panel again."],
  de: ["Dieser Workspace wird noch eingerichtet", "Warten Sie einige Sekunden, und öffnen Sie ihn dann noch einmal aus dem Panel."],
};
