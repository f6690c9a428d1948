import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { closedRefusal } from "./admission.ts";
import type { GatewayRoute } from "./gateway-route.ts";
import { refusalPage } from "./refusal-page.ts";
import { refusals } from "./refusal.ts";

const page = (refusal = closedRefusal(stopped())) => refusalPage(refusal, "acme.example.com", "https://panel.example.com/");
const stopped = (stoppedBecause?: GatewayRoute["stoppedBecause"]): GatewayRoute => ({ workspaceId: "w", state: "stopped", stoppedBecause, address: null, open: false });
const web = (file: string) => readFileSync(new URL(`../web/${file}`, import.meta.url), "utf8");

test.each([
  ["paused", "workspace_paused", "Payments for its subscription failed.", "/manage/billing"],
  ["trial-ended", "workspace_trial_ended", "choose a plan", "/account/change-plan"],
  ["ended", "workspace_subscription_ended", "resubscribe", "/manage/billing"],
] as const)("a workspace that is stopped because it is %s says so, and leads its owner on", (because, code, sentence, path) => {
  const refusal = closedRefusal(stopped(because));
  expect(refusal).toMatchObject({ status: 503, code, retryAfterSeconds: 300 });
  const html = page(refusal);
  expect(html).toContain(sentence);
  expect(html).toContain(`href="https://panel.example.com${path}"`);
  // Its places in the panel exist.
  expect(web("src/lib/paths.ts")).toContain(`"${path}"`);
});

test("without a known cause nothing is promised", () => {
  expect(page()).toContain('href="https://panel.example.com/"');
  expect(page()).not.toMatch(/pay|trial|start it again/i);
});

test("the page wears the panel's colours and mark", () => {
  const tokens = [...web("src/app.css").matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  const html = page();
  const [light, dark] = [html.slice(0, html.indexOf("prefers-color-scheme")), html.slice(html.indexOf("prefers-color-scheme"))];
  const used = [...new Set([...html.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name))];
  expect(used.length).toBeGreaterThan(5);
  for (const name of used) {
    const token = tokens.find(([, each]) => each === name);
    expect(light, name).toContain(`--${name}:${token?.[2]}`);
    expect(dark, name).toContain(`--${name}:${token?.[3]}`);
  }
  expect(html).toContain(web("public/favicon.svg").replace(/^<svg[^>]*>|<\/svg>\s*$/g, ""));
});

test.each(Object.entries(refusals))("%s is said in full sentences with a title of its own", (_name, { title, detail }) => {
  expect(title).not.toMatch(/\.$/);
  expect(detail).toMatch(/\.$/);
  expect(Object.values(refusals).filter((each) => each.title === title)).toHaveLength(1);
});
