import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { germanSentences } from "#contract/sentences/german.ts";
import { say } from "#contract/sentences/say.ts";
import { closedRefusal } from "../admission.ts";
import type { GatewayRoute } from "../routes/gateway-route.ts";
import { refusalPage, refusalPagePolicy } from "./refusal-page.ts";
import { germanRefusals } from "./german.ts";
import { refusals, withReason, type Refusal } from "./refusal.ts";

const page = (refusal = closedRefusal(stopped())) => refusalPage(refusal, "acme.example.com", "https://panel.example.com/");
const stopped = (stoppedBecause?: GatewayRoute["stoppedBecause"]): GatewayRoute => ({
  workspaceId: "w",
  state: "stopped",
  stoppedBecause,
  address: null,
  open: false,
});
const web = (file: string) => readFileSync(new URL(`../../web/${file}`, import.meta.url), "utf8");

test.each([
  ["paused", "workspace_paused", "the panel shows why and how to start it again", "/manage/billing"],
  ["trial-ended", "workspace_trial_ended", "choose a plan", "/account/change-plan"],
  ["ended", "workspace_subscription_ended", "resubscribe", "/manage/billing"],
] as const)("a workspace that is stopped because it is %s says so and shows its owner what to do", (because, code, sentence, path) => {
  const refusal = closedRefusal(stopped(because));
  expect(refusal).toMatchObject({ status: 503, code, retryAfterSeconds: 300 });
  const html = page(refusal);
  expect(html).toContain(sentence);
  expect(html).toContain(`href="https://panel.example.com${path}"`);
  // The linked pages exist in the panel.
  expect(web("src/lib/paths.ts")).toContain(`"${path}"`);
});

test("strangers do not learn from a paused workspace that a payment failed", () => {
  const refusal = closedRefusal(stopped("paused"));
  expect(page(refusal) + page({ ...refusal, ...germanRefusals.workspace_paused })).not.toMatch(/pay|fail|zahl|schlag/i);
});

test("strangers learn of a suspended account only that its workspace is not available", () => {
  const refusal = closedRefusal(stopped("suspended"));
  expect(refusal).toMatchObject({ status: 503, code: "workspace_unavailable", retryAfterSeconds: 300 });
  const html = page(refusal) + page({ ...refusal, ...germanRefusals.workspace_unavailable });
  expect(html).toContain("This workspace is not available");
  expect(html).not.toMatch(/suspen|abus|pay|sperr|zahl/i);
});

test("without a known cause the page only links to the panel", () => {
  expect(page()).toContain('href="https://panel.example.com/"');
  expect(page()).not.toMatch(/pay|trial|start it again/i);
});

test("a page that only waits offers no action and names no error", () => {
  const html = page(refusals.waking);
  expect(html).toContain('<a href="https://panel.example.com/">Open the panel</a>');
  expect(html).not.toContain("503 ·");
  expect(page()).toContain('<p class="code">503 · workspace_stopped</p>');
  expect(page()).toContain('<a class="button" href="https://panel.example.com/">Open the panel</a>');
});

test.each(["brokeOff", "timedOut"] as const)("where the workspace runs, the page of %s leads to its start page", (name) => {
  expect(page(refusals[name])).toContain('<a class="button" href="/">');
  expect(page(refusals.offline)).not.toContain('href="/"');
  expect(page(refusals.unknown)).not.toContain('href="/"');
  expect(page(refusals.badRequest)).not.toContain('href="/"');
});

test("a bar and a hull on its slipway show how far the start is; the bar moves if that is unknown", () => {
  const starting = (percent?: number): GatewayRoute => ({
    workspaceId: "w",
    state: "starting",
    address: null,
    open: false,
    ...(percent && { percent }),
  });
  const known = page(closedRefusal(starting(59.6)));
  expect(known).toContain('<progress max="100" value="60" aria-label="This workspace is starting">');
  expect(known).toContain(">60 %</span>");
  expect(known).toContain('<g id="hull" transform="translate(283.2 70.6) rotate(9.3)">');
  expect(page(closedRefusal(starting()))).toContain('<progress max="100" aria-label');
  expect(page()).not.toContain("<progress");
});

test("the page has the panel's colours and logo", () => {
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

test.each(Object.entries(refusals))("%s has a unique title and full sentences", (_name, { title, detail }) => {
  expect(title).not.toMatch(/\.$/);
  expect(detail).toMatch(/\.$/);
  expect(Object.values(refusals).filter((each) => each.title === title)).toHaveLength(1);
});

/** As much of the browser's as the page's script needs. */
class DOMParser {
  parseFromString(text: string) {
    const [, detail] = /<span id="detail"[^>]*>([^<]*)/.exec(text) ?? [];
    return { querySelector: () => (detail === undefined ? null : { textContent: detail }) };
  }
}

/** Runs the page's script as a browser would, with these responses to its requests in order. `isHidden`: the page is out of view until its first look is due. */
async function watch(answers: (Response | Error)[], of: Refusal = refusals.starting, { random = 0, isHidden = false } = {}) {
  const html = page(of);
  const [, code, seconds, script] = /<script data-code="(\w+)" data-seconds="(\d+)">([^]*?)<\/script>/.exec(html)!;
  expect(refusalPagePolicy).toContain(`script-src 'sha256-${createHash("sha256").update(script!).digest("base64")}'`);
  const asked: unknown[][] = [];
  const waits: number[] = [];
  const reload = vi.fn<() => void>();
  const bar = { value: "" };
  const percent = { textContent: "" };
  const hull = { setAttribute: vi.fn<(name: string, value: string) => void>() };
  const late = { hidden: true };
  const detail = { textContent: of.detail };
  const parts: Record<string, object | null> = { progress: bar, "#percent": percent, "#hull": hull, "#late": late, "#detail": detail };
  const left = [...answers];
  const fetched = async (...call: unknown[]) => {
    asked.push(call);
    const answer = left.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const later = (look: () => void, ms: number) => {
    waits.push(ms / 1000);
    if (left.length > 0) setImmediate(look);
  };
  const seen: (() => void)[] = [];
  const document = {
    hidden: isHidden,
    currentScript: { dataset: { code, seconds } },
    querySelector: (name: string) => (html.includes(name === "progress" ? "<progress max" : `id="${name.slice(1)}"`) ? parts[name] : null),
    addEventListener: (_type: string, listener: () => void) => seen.push(listener),
  };
  runInContext(
    script!,
    createContext({
      document,
      DOMParser,
      Math: Object.assign(Object.create(Math) as Math, { random: () => random }),
      location: { reload },
      fetch: fetched,
      setTimeout: later,
      AbortSignal,
    }),
  );
  if (isHidden) {
    await vi.waitFor(() => expect(waits).toHaveLength(1), 20_000);
    await new Promise(setImmediate);
    expect(asked).toEqual([]);
    document.hidden = false;
    for (const listener of seen) listener();
  }
  await vi.waitFor(() => expect(left).toEqual([]), 20_000);
  await vi.waitFor(() => expect(reload.mock.calls.length + waits.length).toBe(answers.length + 1), 20_000);
  return { asked, waits, reload, bar, percent, hull, late, detail };
}

const refusedWith = (refusal: Refusal) => new Response(page(refusal), { status: refusal.status });

test("the page of a starting workspace stays until the response changes, and then reloads once", async () => {
  const { asked, waits, reload, bar, percent, hull, late } = await watch([
    refusedWith(refusals.starting),
    new Error("no network"),
    refusedWith({ ...refusals.starting, percent: 80 }),
    new Response("the editor"),
  ]);
  expect(reload).toHaveBeenCalledOnce();
  expect(waits).toEqual([2, 2, 2, 2]);
  expect(bar.value).toBe("80");
  expect(percent.textContent).toBe("80 %");
  expect(hull.setAttribute).toHaveBeenCalledWith("transform", expect.stringMatching(/^translate\(345\.6 80\.8\)/));
  expect(late.hidden).toBe(true);
  // Like a browser's navigation: a program's request would wait in the gateway.
  expect(asked[0]).toEqual(["/", expect.objectContaining({ headers: { accept: "text/html" }, redirect: "manual" })]);
});

test("a start that takes more than a minute says so", async () => {
  const { reload, late } = await watch(Array.from({ length: 31 }, () => refusedWith(refusals.starting)));
  expect(reload).not.toHaveBeenCalled();
  expect(late.hidden).toBe(false);
});

test.each(["offline", "busy", "unavailable"] as const)("the page of %s continues as soon as the workspace answers", async (name) => {
  expect(page(refusals[name])).toContain("This page checks again automatically.");
  const { reload, asked } = await watch([refusedWith(refusals[name]), new Response("the editor")], refusals[name]);
  expect(asked).toHaveLength(2);
  expect(reload).toHaveBeenCalledOnce();
});

const proxyError = () => new Response("<h1>502 Bad Gateway</h1>", { status: 502 });
const redirect = { status: 0, type: "opaqueredirect" } as Response;

test("a page of a proxy, or one that asks for patience, does not replace ours; a redirect does", async () => {
  const patience = new Response("Too many", { status: 429, headers: { "retry-after": "90" } });
  const lost = [proxyError(), new Response("busy", { status: 503 }), patience];
  const { waits, reload, asked } = await watch([...lost, redirect], refusals.offline);
  expect(asked).toHaveLength(4);
  expect(waits).toEqual([5, 10, 20, 90]);
  expect(reload).toHaveBeenCalledOnce();
});

test.each(["offline", "busy", "unavailable"] as const)("the page of %s asks less and less often, at different times", async (name) => {
  const answers = () => Array.from({ length: 6 }, () => refusedWith(refusals[name]));
  const { waits } = await watch(answers(), refusals[name]);
  expect(waits[1]).toBeGreaterThanOrEqual(2 * waits[0]!);
  expect(waits.slice(-2)).toEqual([60, 60]);
  const { waits: others } = await watch(answers(), refusals[name], { random: 0.8 });
  expect(others).toEqual(waits.map((each) => expect.closeTo(each * 1.2)));
});

test("a start is followed closely for a minute, and longer while it moves on", async () => {
  const { waits } = await watch([...Array.from({ length: 33 }, () => refusedWith(refusals.starting)), new Response("the editor")]);
  expect(waits.slice(29)).toEqual([2, 2, 4, 8, 16]);
  const moving = await watch(Array.from({ length: 40 }, (_, index) => refusedWith({ ...refusals.starting, percent: index + 1 })));
  expect(new Set(moving.waits)).toEqual(new Set([2]));
});

test("a page out of view does not ask, which could wake the workspace, until it is seen", async () => {
  const { reload } = await watch([new Response("the editor")], refusals.waking, { isHidden: true });
  expect(reload).toHaveBeenCalledOnce();
});

test("a reason that changes is shown", async () => {
  const { detail, reload } = await watch([refusedWith(withReason(refusals.offline, "It ran out of memory."))], refusals.offline);
  expect(detail.textContent).toBe("It ran out of memory.");
  expect(reload).not.toHaveBeenCalled();
});

test.each(["starting", "offline"] as const)("what was sent to a workspace that is %s is not sent a second time", (name) => {
  const html = (method: string) => refusalPage(refusals[name], "acme.example.com", "https://panel.example.com/", "en", method);
  expect(html("POST")).not.toMatch(/<script|<progress|automatically/);
  expect(html("POST")).toContain('<a class="button" href="/">');
  expect(html("POST")).toContain("Your request was not passed on.");
  for (const method of ["GET", "HEAD"]) expect(html(method)).toBe(page(refusals[name]));
});

test.each(["paused", "offline"] as const)("a start that ends as %s is shown too", async (name) => {
  expect((await watch([refusedWith(refusals[name])])).reload).toHaveBeenCalledOnce();
});

test("no page reloads on a timer, and without scripts the starting page says how to continue", () => {
  for (const refusal of Object.values(refusals)) expect(page(refusal)).not.toContain("http-equiv");
  expect(page(refusals.starting)).toContain("<noscript><p>Reload this page to continue.</p></noscript>");
  expect(page(refusals.stopped)).not.toContain("<script");
});

const german = (refusal: Parameters<typeof refusalPage>[0]) => refusalPage(refusal, "acme.example.com", "https://panel.example.com/", "de");

test("a German reader gets each page in German, with the same links, status and script", () => {
  for (const refusal of Object.values(refusals)) {
    const [english, other] = [page(refusal), german(refusal)];
    const { title, detail } = germanRefusals[refusal.code];
    expect(other).toContain('<html lang="de">');
    expect(other).toContain(title);
    expect(other).toContain(detail);
    expect(other).not.toContain(refusal.title);
    const links = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links(other)).toEqual(links(english));
    expect(other.includes("<script")).toBe(english.includes("<script"));
    expect(other).not.toMatch(/Reload this page|Open the panel|Choose a plan|This page checks|takes longer|start page/);
  }
});

test("the cause is given in German as well; an unknown one is replaced with the general sentence", () => {
  expect(german(withReason(refusals.offline, say("keepsStopping")))).toContain(germanSentences.keepsStopping);
  expect(german(withReason(refusals.offline, "Something new."))).toContain(germanRefusals.workspace_offline.detail);
});
