/** The page a visitor sees instead of a workspace. It is self-contained; while it can expect a change, a short script checks again. */
import { createHash } from "node:crypto";
import type { Language } from "#contract/accounts/language.ts";
import { germanPageWords, inGerman } from "./german.ts";
import { backdrop, icon, mark, picture, slip, style } from "./refusal-look.ts";
import type { Refusal } from "./refusal.ts";

const pageWords = {
  panel: "Open the panel",
  again: "This page checks again automatically.",
  late: "This takes longer than usual. If the workspace is yours, the panel shows what it is doing.",
  start: "Go to the workspace's start page",
  reload: "Reload this page to continue.",
} as const;

export type PageWords = Record<keyof typeof pageWords, string>;

/**
 * A page that reloads on a timer sends a screen reader back to its beginning each time. This one stays and reloads once the response
 * changes; until then its bar and its hull follow, and after a minute it says that this takes long. It requests as a browser does, which is
 * answered immediately and takes no place in the waiting room. It requests the first page, because the current URL may have side effects. A
 * failed request is repeated.
 */
const lookAgain = `
const { code, seconds } = document.currentScript.dataset;
let looks = 0;
const look = async () => {
  looks += 1;
  const late = document.querySelector(".late");
  if (late && looks * seconds > 60) late.hidden = false;
  try {
    const answer = await fetch("/", { headers: { accept: "text/html" }, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(10000) });
    if (answer.status !== 503) return location.reload();
    const text = await answer.text();
    if (!text.includes('data-code="' + code + '"')) return location.reload();
    const [, value] = text.match(/<progress[^>]* value="(\\d+)"/) || [];
    if (value) {
      document.querySelector("progress").value = value;
      document.querySelector("#percent").textContent = value + " %";
      document.querySelector("#hull").setAttribute("transform", "translate(" + (96 + 3.12 * value) + " " + (40 + 0.51 * value) + ") rotate(9.3)");
    }
  } catch {}
  setTimeout(look, seconds * 1000);
};
setTimeout(look, seconds * 1000);
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows the page's own style, script and icon and nothing else. */
export const refusalPagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(lookAgain)}`,
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page for a refusal, with all texts escaped. `name` is the requested host. */
export function refusalPage(refusal: Refusal, name: string, panelUrl: string, language: Language = "en"): string {
  const { lookAgainSeconds, isComing = false, wayOn } = refusal;
  const isGerman = language === "de";
  const page: PageWords = isGerman ? germanPageWords : pageWords;
  const { title, detail, label = page.panel } = isGerman ? inGerman(refusal) : { ...refusal, label: wayOn?.label };
  // Only these requests reached, or could reach, a workspace that runs: its own start page leads on.
  const isRunning = refusal.status !== 503 && refusal.code !== "workspace_unknown";
  const href = wayOn ? new URL(wayOn.path, panelUrl).href : panelUrl;
  const panel = `<a${isComing || isRunning ? "" : ' class="button"'} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
  const start = isRunning ? `<a class="button" href="/">${page.start}</a>` : "";
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Slipway</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
${backdrop}
<header class="brand">${mark}<span>Slipway</span></header>
<main>
${isComing ? slip(Math.round(refusal.percent ?? 0)) : ""}<div class="text">
${isComing ? "" : picture(refusal)}<div class="name">${escapeHtml(name)}</div>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(detail)}</p>
${
  isComing
    ? `${bar(refusal, title)}<p class="late" hidden>${page.late}</p>
`
    : ""
}${
    lookAgainSeconds === undefined || isComing
      ? ""
      : `<p class="again">${page.again}</p>
`
  }<div class="ways">${start}${panel}</div>
${
  isComing
    ? ""
    : `<p class="code">${refusal.status} · ${escapeHtml(refusal.code)}</p>
`
}${script(refusal, page)}</div>
</main>
</body>
</html>
`;
}

/** As far as the start is, or moving where that is unknown. */
function bar({ percent }: Refusal, title: string): string {
  const value = percent === undefined ? undefined : Math.round(percent);
  const known = value === undefined ? "" : ` value="${value}"`;
  return `<div class="bar"><progress max="100"${known} aria-label="${escapeHtml(title)}"></progress><span id="percent" aria-hidden="true">${value === undefined ? "" : `${value} %`}</span></div>
`;
}

const script = ({ code, lookAgainSeconds }: Refusal, page: PageWords): string =>
  lookAgainSeconds === undefined
    ? ""
    : `<script data-code="${escapeHtml(code)}" data-seconds="${lookAgainSeconds}">${lookAgain}</script>
<noscript><p>${page.reload}</p></noscript>
`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
