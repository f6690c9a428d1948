/** The page a visitor sees instead of a workspace. It is self-contained; while it waits, a short script checks again. */
import { createHash } from "node:crypto";
import type { Language } from "#contract/accounts/language.ts";
import { germanReload, inGerman } from "./german.ts";
import type { Refusal } from "./refusal.ts";

/** The panel's design tokens (apps/web/src/app.css); a test keeps both equal. */
const style = `
:root{color-scheme:light dark;--canvas:#f4f7f7;--surface:#ffffff;--line:#d9e2e2;--ink:#0d2024;--ink-soft:#46595d;--accent:#0b5c68;--accent-strong:#084851;--on-accent:#ffffff}
@media (prefers-color-scheme:dark){:root{--canvas:#0b1416;--surface:#111d20;--line:#25373b;--ink:#e8f0f0;--ink-soft:#a5b8bb;--accent:#5ccbd0;--accent-strong:#85dfe2;--on-accent:#06262b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--canvas);color:var(--ink);font:16px/1.5 "Inter Variable",Inter,system-ui,sans-serif}
main{width:100%;max-width:460px;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:12px;box-shadow:0 1px 2px rgb(6 24 28/.06),0 4px 16px rgb(6 24 28/.05)}
.brand{display:flex;align-items:center;gap:10px;margin:0 0 28px;font-weight:650;letter-spacing:-.01em}
h1{margin:0 0 8px;font-size:22px;line-height:1.3;letter-spacing:-.015em;text-wrap:balance}
p{margin:0 0 24px;color:var(--ink-soft);overflow-wrap:anywhere}
.name{margin:0 0 6px;font-size:14px;color:var(--ink-soft)}
a{display:inline-block;padding:9px 16px;border-radius:8px;background:var(--accent);color:var(--on-accent);font-weight:550;text-decoration:none}
a:hover{background:var(--accent-strong)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
a.quiet,a.quiet:hover{padding:0;background:none;color:var(--accent);font-size:14px;text-decoration:underline}
.code{margin:24px 0 0;font-size:13px}
progress{display:block;width:100%;height:6px;margin:0 0 24px;border:0;border-radius:3px;background:var(--line);color:var(--accent);overflow:hidden;appearance:none;-webkit-appearance:none}
progress::-webkit-progress-bar{background:none}
progress::-webkit-progress-value{border-radius:3px;background:var(--accent);transition:width .6s ease-out}
progress::-moz-progress-bar{border-radius:3px;background:var(--accent)}
progress:indeterminate{background:linear-gradient(var(--accent),var(--accent)) 0/40% 100% no-repeat var(--line);animation:go 1.6s ease-in-out infinite alternate}
progress:indeterminate::-moz-progress-bar{background:none}
@keyframes go{from{background-position:0}to{background-position:100%}}
@media (prefers-reduced-motion:reduce){progress:indeterminate{animation:none;background-size:100% 100%;opacity:.5}progress::-webkit-progress-value{transition:none}}
`;

/**
 * A page that reloads on a timer sends a screen reader back to its beginning each time. This one stays and reloads once the response
 * changes; until then its bar follows. It requests as a browser does, which is answered immediately and takes no place in the waiting room.
 * It requests the first page, because the current URL may have side effects. A failed request is repeated.
 */
const lookAgain = `
const { code, seconds } = document.currentScript.dataset;
const look = async () => {
  try {
    const answer = await fetch("/", { headers: { accept: "text/html" }, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(10000) });
    if (answer.status !== 503) return location.reload();
    const text = await answer.text();
    if (!text.includes(code)) return location.reload();
    const [, value] = text.match(/<progress[^>]* value="(\\d+)"/) || [];
    if (value) document.querySelector("progress").value = value;
  } catch {}
  setTimeout(look, seconds * 1000);
};
setTimeout(look, seconds * 1000);
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows the page's own style and script and nothing else. */
export const refusalPagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(lookAgain)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The panel's mark (apps/web/public/favicon.svg). */
const mark =
  '<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c68"/><path d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z" fill="#fff" transform="rotate(14 16 14)"/><path d="M5 19.2 27 25" stroke="#7fe3e4" stroke-width="2.6" stroke-linecap="round"/></svg>';

/** The page for a refusal, with all texts escaped. `name` is the requested host. */
export function refusalPage(refusal: Refusal, name: string, panelUrl: string, language: Language = "en"): string {
  const { lookAgainSeconds, percent, wayOn } = refusal;
  const words =
    language === "de" ? inGerman(refusal) : { title: refusal.title, detail: refusal.detail, label: wayOn?.label ?? "Open the panel" };
  const reload = language === "de" ? germanReload : "Reload this page to continue.";
  const waiting =
    lookAgainSeconds === undefined
      ? ""
      : `<script data-code="${escapeHtml(refusal.code)}" data-seconds="${lookAgainSeconds}">${lookAgain}</script>\n<noscript><p>${reload}</p></noscript>\n`;
  const href = wayOn ? new URL(wayOn.path, panelUrl).href : panelUrl;
  // While it only waits, there is nothing to do and nothing to report.
  const waits = lookAgainSeconds !== undefined;
  const value = percent === undefined ? "" : ` value="${Math.round(percent)}"`;
  const bar = waits ? `<progress max="100"${value} aria-label="${escapeHtml(words.title)}"></progress>` : "";
  const code = waits ? "" : `<p class="code">${refusal.status} · ${escapeHtml(refusal.code)}</p>\n`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(words.title)} · Slipway</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="brand">${mark}<span>Slipway</span></div>
<div class="name">${escapeHtml(name)}</div>
<h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(words.detail)}</p>
${bar}<a${waits ? ' class="quiet"' : ""} href="${escapeHtml(href)}">${escapeHtml(words.label)}</a>
${code}${waiting}</main>
</body>
</html>
`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
