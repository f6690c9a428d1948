/** The page a person sees instead of a workspace: one file, no script, readable without anything else working. */
import { createHash } from "node:crypto";
import type { Refusal } from "./refusal.ts";

const style = `
:root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--line:#e2e5ea;--text:#16191f;--soft:#545b68;--accent:#1f5fd6;--on:#fff}
@media (prefers-color-scheme:dark){:root{--back:#0e1116;--card:#161a21;--line:#2a303b;--text:#eceff4;--soft:#a2abba;--accent:#8ab4ff;--on:#0b1526}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--back);color:var(--text);font:16px/1.5 "Inter Variable",Inter,system-ui,sans-serif}
main{width:100%;max-width:460px;padding:32px;background:var(--card);border:1px solid var(--line);border-radius:14px}
.brand{display:flex;align-items:center;gap:10px;margin:0 0 28px;font-weight:650;letter-spacing:-.01em}
.brand svg{color:var(--accent)}
h1{margin:0 0 8px;font-size:22px;line-height:1.3;letter-spacing:-.015em;text-wrap:balance}
p{margin:0 0 24px;color:var(--soft);overflow-wrap:anywhere}
.name{margin:0 0 6px;font-size:14px;color:var(--soft)}
a{display:inline-block;padding:9px 16px;border-radius:8px;background:var(--accent);color:var(--on);font-weight:550;text-decoration:none}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.code{margin:24px 0 0;font-size:13px}
.bar{height:4px;margin:0 0 24px;border-radius:2px;background:var(--line);overflow:hidden}
.bar i{display:block;width:40%;height:100%;border-radius:2px;background:var(--accent);animation:go 1.6s ease-in-out infinite alternate}
@keyframes go{from{transform:translateX(-20%)}to{transform:translateX(170%)}}
@media (prefers-reduced-motion:reduce){.bar i{animation:none;width:100%;opacity:.5}}
`;

/** Allows the page's own style and nothing else: a tenant's cookies, frames or scripts have no part in it. */
export const refusalPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const mark =
  '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M3 19h18"/><path d="M6 15 18 5"/><path d="M11 15h7V9"/></svg>';

/** The page for a refusal; every text in it is escaped. `name` is the host that was asked for. */
export function refusalPage(refusal: Refusal, name: string, panelUrl: string): string {
  const reload = refusal.reloadSeconds === undefined ? "" : `<meta http-equiv="refresh" content="${refusal.reloadSeconds}">`;
  const bar = refusal.reloadSeconds === undefined ? "" : '<div class="bar"><i></i></div>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${reload}
<title>${escapeHtml(refusal.title)} – Slipway</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="brand">${mark}<span>Slipway</span></div>
<div class="name">${escapeHtml(name)}</div>
<h1>${escapeHtml(refusal.title)}</h1>
<p>${escapeHtml(refusal.detail)}</p>
${bar}<a href="${escapeHtml(panelUrl)}">Open the panel</a>
<p class="code">${refusal.status} · ${escapeHtml(refusal.code)}</p>
</main>
</body>
</html>
`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
