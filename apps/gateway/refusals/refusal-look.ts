/** How the page of a refusal looks: like the panel's pages before there is a workspace. */
import type { Refusal } from "./refusal.ts";

/** The panel's design tokens (apps/web/src/app.css); a test keeps both equal. */
export const style = `
:root{color-scheme:light dark;--surface:#ffffff;--line:#d9e2e2;--ink:#0d2024;--ink-soft:#46595d;--accent:#0b5c68;--accent-strong:#084851;--accent-soft:#e0f0f1;--on-accent:#ffffff;--warning:#7f4f00;--warning-soft:#fbf0d9}
@media (prefers-color-scheme:dark){:root{--surface:#111d20;--line:#25373b;--ink:#e8f0f0;--ink-soft:#a5b8bb;--accent:#5ccbd0;--accent-strong:#85dfe2;--accent-soft:#12343a;--on-accent:#06262b;--warning:#f0bd6a;--warning-soft:#33270f}}
*{box-sizing:border-box}
[hidden]{display:none}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:#0b1f24;color:var(--ink);font:16px/1.5 "Inter Variable",Inter,system-ui,sans-serif;-webkit-font-smoothing:antialiased}
.backdrop{position:fixed;inset:0;z-index:-1;width:100%;height:100%}
.brand{display:flex;align-items:center;gap:10px;width:100%;max-width:1152px;margin:0 auto;padding:20px 24px;color:#eaf4f4;font-weight:650;letter-spacing:-.01em}
main{width:calc(100% - 32px);max-width:480px;margin:auto;background:var(--surface);border:1px solid rgb(255 255 255/.1);border-radius:16px;box-shadow:0 4px 12px rgb(6 24 28/.14),0 16px 40px rgb(6 24 28/.18);overflow:hidden}
.slip{display:block;width:100%;background:linear-gradient(to bottom right,#0b1f24,#0d3a43)}
.text{padding:32px}
.icon{display:grid;place-items:center;width:44px;height:44px;margin:0 0 16px;border-radius:50%;background:var(--accent-soft);color:var(--accent)}
.icon.warns{background:var(--warning-soft);color:var(--warning)}
h1{margin:0 0 8px;font-size:24px;line-height:1.3;letter-spacing:-.015em;text-wrap:balance}
p{margin:0;color:var(--ink-soft);overflow-wrap:anywhere;text-wrap:pretty}
.name{margin:0 0 4px;font-size:14px;font-weight:550;color:var(--ink-soft);overflow-wrap:anywhere}
.again{display:flex;align-items:center;gap:10px;margin-top:16px;font-size:14px}
.again::before{content:"";flex:none;width:8px;height:8px;border-radius:50%;background:var(--accent);animation:pulse 1.6s ease-in-out infinite}
.late{margin-top:16px;font-size:14px}
.ways{display:flex;flex-wrap:wrap;align-items:center;gap:8px 20px;margin-top:24px}
a{color:var(--accent);font-size:14px;font-weight:550;text-underline-offset:3px}
a.button{padding:9px 16px;border-radius:8px;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
a.button:hover{background:var(--accent-strong)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.code{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:13px}
.bar{display:flex;align-items:center;gap:14px;margin-top:20px;font-size:14px;font-weight:600;font-variant-numeric:tabular-nums}
progress{flex:1;height:8px;border:0;border-radius:4px;background:var(--line);color:var(--accent);overflow:hidden;appearance:none;-webkit-appearance:none}
progress::-webkit-progress-bar{background:none}
progress::-webkit-progress-value{border-radius:4px;background:var(--accent);transition:width .6s ease-out}
progress::-moz-progress-bar{border-radius:4px;background:var(--accent)}
progress:indeterminate{background:linear-gradient(var(--accent),var(--accent)) 0/40% 100% no-repeat var(--line);animation:go 1.6s ease-in-out infinite alternate}
progress:indeterminate::-moz-progress-bar{background:none}
@keyframes go{from{background-position:0}to{background-position:100%}}
@keyframes pulse{50%{opacity:.45}}
@media (max-width:520px){.brand{padding:16px}.text{padding:24px}a.button{flex:1 0 100%;text-align:center}}
@media (prefers-reduced-motion:reduce){.again::before{animation:none}progress:indeterminate{animation:none;background-size:100% 100%;opacity:.5}progress::-webkit-progress-value{transition:none}}
`;

/** The panel's mark (apps/web/public/favicon.svg). */
export const mark =
  '<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c68"/><path d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z" fill="#fff" transform="rotate(14 16 14)"/><path d="M5 19.2 27 25" stroke="#7fe3e4" stroke-width="2.6" stroke-linecap="round"/></svg>';

/** The icon of the browser's tab: the same mark. */
export const icon = `data:image/svg+xml,${encodeURIComponent(mark.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))}`;

/** The slipway drawn large (apps/web/src/layouts/backdrop.svg). */
export const backdrop = `<svg class="backdrop" viewBox="0 0 1440 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><defs><linearGradient id="glow" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#0b1f24"/><stop offset="1" stop-color="#0d3a43"/></linearGradient><linearGradient id="rail" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#7fe3e4" stop-opacity="0"/><stop offset=".45" stop-color="#7fe3e4" stop-opacity=".32"/><stop offset="1" stop-color="#7fe3e4" stop-opacity=".06"/></linearGradient></defs><rect width="1440" height="900" fill="url(#glow)"/><path d="M-40 560 1500 830M-40 612 1500 868${sleepers()}" stroke="url(#rail)" stroke-width="2" fill="none"/><path d="M0 846c120-14 240 14 360 0s240-14 360 0 240 14 360 0 240-14 360 0v54H0Z" fill="#0a2a31" fill-opacity=".9"/></svg>`;

function sleepers(): string {
  return Array.from(
    { length: 22 },
    (_, index) => `M${70 * index - 30} ${(561.8 + 12.27 * index).toFixed(1)}l-7 ${(52 - 0.548 * index).toFixed(1)}`,
  ).join("");
}

/** Where the hull is when the start is this far. */
const place = (percent: number): string => `translate(${(96 + 3.12 * percent).toFixed(1)} ${(40 + 0.51 * percent).toFixed(1)}) rotate(9.3)`;

/** The picture of a launch (apps/web/src/pages/account-launching/slip-picture.tsx): the hull is as far down as the start is. */
export const slip = (percent: number): string =>
  `<svg class="slip" viewBox="0 0 640 130" aria-hidden="true"><g stroke="#7fe3e4" stroke-linecap="round"><path d="${piers()}" stroke-width="2" stroke-opacity=".16"/><path d="M24 30.2 492 106.7" stroke-width="4"/></g><g id="hull" transform="${place(percent)}"><path d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z" fill="#eaf4f4" transform="scale(4.4) translate(-15.2 -17.3)"/></g><g fill="#7fe3e4" fill-opacity=".2"><path d="${waves(106, 8)}"/><path d="${waves(114, 24)}"/></g></svg>`;

function piers(): string {
  return Array.from({ length: 11 }, (_, index) => `M${48 + index * 40} ${(36.2 + 6.54 * index).toFixed(1)}V130`).join("");
}

function waves(y: number, shift: number): string {
  return `M${-shift} ${y}q14-5 28 0${"t28 0".repeat(26)}V140H${-shift}Z`;
}

const drawings = {
  pause: '<path d="M9 5v14M15 5v14"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  alert: '<path d="M12 4 2.8 20h18.4ZM12 10v4M12 17h.01"/>',
  search: '<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/>',
  plug: '<path d="M5 12h4M15 12h4M9 8v8M15 8v8"/>',
} as const;

/** The picture of each code: unlisted ones have the clock. */
const pictured: Partial<Record<string, keyof typeof drawings>> = {
  workspace_unknown: "search",
  not_found: "search",
  workspace_stopped: "pause",
  workspace_unavailable: "pause",
  workspace_paused: "pause",
  workspace_offline: "alert",
  workspace_broke_off: "plug",
  bad_request: "alert",
};

export function picture({ code }: Refusal): string {
  const name = pictured[code] ?? "clock";
  const look = name === "alert" || name === "plug" ? "icon warns" : "icon";
  return `<div class="${look}"><svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawings[name]}</svg></div>`;
}
