/** The page a visitor sees instead of a workspace. It is self-contained; while it can expect a change, a short script checks again. */
import { createHash } from "node:crypto";
import type { Language } from "#contract/accounts/language.ts";
import { escapeHtml } from "#platform/http/escape-html.ts";
import { isReading } from "../headers/is-reading.ts";
import { germanPageWords, inGerman } from "./german.ts";
import { lookAgain } from "./look-again.ts";
import { backdrop, icon, mark, picture, slip, style } from "./refusal-look.ts";
import type { Refusal } from "./refusal.ts";

const pageWords = {
  panel: "Open the panel",
  again: "This page checks again automatically.",
  continues: "This page continues automatically.",
  notSent: "Your request was not passed on. Send it again once the workspace is ready.",
  late: "This is taking longer than usual. If this is your workspace, the panel shows its progress.",
  start: "Go to the workspace's start page",
  reload: "Reload this page to continue.",
} as const;

export type PageWords = Record<keyof typeof pageWords, string>;

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

/**
 * The page for a refusal, with all texts escaped. `name` is the requested host. The page of a request that only reads may check again; any
 * other would be sent a second time by that.
 */
export function refusalPage(refusal: Refusal, name: string, panelUrl: string, language: Language = "en", method = "GET"): string {
  const { lookAgainSeconds, wayOn } = refusal;
  const canChange = lookAgainSeconds !== undefined;
  const looks = canChange && isReading(method);
  const isComing = looks && refusal.isComing === true;
  const isGerman = language === "de";
  const page: PageWords = isGerman ? germanPageWords : pageWords;
  const { title, detail, label = page.panel } = isGerman ? inGerman(refusal) : { ...refusal, label: wayOn?.label };
  // These requests reached, or could reach, a running workspace, so its start page is the way on, as it is where a change can be expected.
  const hasStart = (refusal.status !== 503 && !withoutWorkspace.includes(refusal.code)) || (canChange && !looks);
  const href = wayOn ? new URL(wayOn.path, panelUrl).href : panelUrl;
  const panel = `<a${isComing || hasStart ? "" : ' class="button"'} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
  const start = hasStart ? `<a class="button" href="/">${page.start}</a>` : "";
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
<main data-code="${escapeHtml(refusal.code)}">
${isComing ? slip(Math.round(refusal.percent ?? 0)) : ""}<div class="text">
${isComing ? "" : picture(refusal)}<div class="name">${escapeHtml(name)}</div>
<h1>${escapeHtml(title)}</h1>
<p><span id="detail"${looks ? ' aria-live="polite"' : ""}>${escapeHtml(detail)}</span>${isComing ? ` ${page.continues}` : ""}</p>
${waiting(refusal, title, page, looks)}<div class="ways">${start}${panel}</div>
${
  isComing
    ? ""
    : `<p class="code">${refusal.status} · ${escapeHtml(refusal.code)}</p>
`
}${looks ? script(refusal, page) : ""}</div>
</main>
</body>
</html>
`;
}

/** Requests that are refused before a workspace is found. */
const withoutWorkspace: readonly string[] = ["workspace_unknown", "bad_request", "cookies_too_large"];

/** What happens next: the page checks again, or the visitor acts. */
function waiting(refusal: Refusal, title: string, page: PageWords, looks: boolean): string {
  if (refusal.lookAgainSeconds === undefined) return "";
  if (!looks) return `<p class="late">${page.notSent}</p>\n`;
  if (!refusal.isComing) return `<p class="again">${page.again}</p>\n`;
  return `${bar(refusal, title)}<div role="status"><p class="late" id="late" hidden>${page.late}</p></div>
`;
}

/** The progress of the start; indeterminate if it is unknown. */
function bar({ percent }: Refusal, title: string): string {
  const value = percent === undefined ? undefined : Math.round(percent);
  const known = value === undefined ? "" : ` value="${value}"`;
  return `<div class="bar"><progress max="100"${known} aria-label="${escapeHtml(title)}"></progress><span id="percent" aria-hidden="true">${value === undefined ? "" : `${value} %`}</span></div>
`;
}

const script = ({ code, lookAgainSeconds }: Refusal, page: PageWords): string =>
  `<script data-code="${escapeHtml(code)}" data-seconds="${lookAgainSeconds}">${lookAgain}</script>
<noscript><p>${page.reload}</p></noscript>
`;
