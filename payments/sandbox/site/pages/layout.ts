/** The layout of the sandbox's pages. */
import type { Words } from "../words.ts";
import { html, type Markup } from "./html.ts";

interface PageFrame {
  words: Words;
  title: string;
  merchant: string;
  /** The link back; null for none. */
  back: { label: string; url: string } | null;
}

/** A complete document. Its styles and script are the sandbox's own files: nothing is inline or external. */
export function page({ words, title, merchant, back }: PageFrame, content: Markup): string {
  return html`<!doctype html>
    <html lang="${words.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${merchant}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/sandbox/checkout.css" />
        <script src="/sandbox/checkout.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">${words.skip}</a>
        <header class="top">
          <div class="top-row">
            ${
              back &&
              html`<a class="back" href="${back.url}"
                ><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M19 12H5m6-6-6 6 6 6" /></svg> ${back.label}</a
              >`
            }
            <p class="merchant">${merchant}</p>
            <p class="badge"><strong>${words.badge}</strong> ${words.badgeText}</p>
          </div>
        </header>
        ${content}
      </body>
    </html> `.text;
}
