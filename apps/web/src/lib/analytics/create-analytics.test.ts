import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAdapters } from "./adapters.ts";
import { createAnalytics } from "./create-analytics.ts";
import type { AnalyticsAdapter, KnownPerson } from "./events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function adapter(pageDelayMs: number): AnalyticsAdapter & { heard: unknown[] } {
  const heard: unknown[] = [];
  return {
    heard,
    pageDelayMs,
    identify: (person) => void heard.push(["identify", person?.id ?? null]),
    page: (path) => void heard.push(["page", path]),
    track: (name, fields) => void heard.push([name, fields]),
  };
}
const ada: KnownPerson = { id: "1", username: "ada", name: "Ada", email: "ada@example.com", confirmed: false };

test("the tag manager receives a page after 250 ms, the others after 500 ms", () => {
  const layer: { event?: string }[] = [];
  const captured: string[] = [];
  vi.stubGlobal("window", { dataLayer: layer });
  vi.stubGlobal("document", { createElement: () => ({ addEventListener: () => undefined }), head: { append: () => undefined } });
  vi.stubGlobal("location", { origin: "https://panel.example.com" });
  vi.stubGlobal("localStorage", { getItem: () => "anonymous", setItem: () => undefined });
  vi.stubGlobal("fetch", (_address: string, { body }: { body: string }) => {
    captured.push((JSON.parse(body) as { event: string }).event);
    return Promise.resolve(new Response());
  });
  const analytics = createAnalytics();
  analytics.connect(createAdapters({ postHog: { key: "key", host: "https://eu.example.com" }, tagManager: { id: "GTM-1" } }));
  analytics.page("/dashboard");
  const arrived = () => [layer.some(({ event }) => event === "content-view"), captured.includes("$pageview")];
  vi.advanceTimersByTime(249);
  expect(arrived()).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect(arrived()).toEqual([true, false]);
  vi.advanceTimersByTime(249);
  expect(arrived()).toEqual([true, false]);
  vi.advanceTimersByTime(1);
  expect(arrived()).toEqual([true, true]);
});

test("quick navigations are each recorded, in order", () => {
  const analytics = createAnalytics();
  const pages = adapter(500);
  analytics.connect([pages]);
  for (const path of ["/a", "/b", "/c"]) {
    analytics.page(path);
    vi.advanceTimersByTime(100);
  }
  vi.runAllTimers();
  expect(pages.heard).toEqual([
    ["page", "/a"],
    ["page", "/b"],
    ["page", "/c"],
  ]);
});

test("an event arrives with its name and fields, in order", () => {
  const analytics = createAnalytics();
  const one = adapter(0);
  analytics.connect([one]);
  analytics.track("User signed in", {});
  analytics.track("User signed out", {});
  analytics.track("User selected app", { apps: ["slack", "notion"], app_count: 2 });
  analytics.track("search term", { search_string: "sla", results_count: 3 });
  analytics.track("User is part of experiment", { name: "026_easy_ai_workflow", variant: "control" });
  expect(one.heard).toEqual([
    ["User signed in", {}],
    ["User signed out", {}],
    ["User selected app", { apps: ["slack", "notion"], app_count: 2 }],
    ["search term", { search_string: "sla", results_count: 3 }],
    ["User is part of experiment", { name: "026_easy_ai_workflow", variant: "control" }],
  ]);
});

test("events wait until consent is known, and are dropped without it", () => {
  const analytics = createAnalytics();
  expect(analytics.track("User signed in", {})).toBe(true);
  analytics.connect([]);
  const late = adapter(0);
  analytics.connect([late]);
  expect(late.heard).toEqual([]);

  const other = createAnalytics();
  other.identify(ada);
  other.track("User signed in", {});
  const early = adapter(0);
  other.connect([early]);
  expect(early.heard).toEqual([
    ["identify", "1"],
    ["User signed in", {}],
  ]);
});

test("without a key or consent nothing is sent, and the caller learns it", () => {
  const analytics = createAnalytics();
  analytics.connect([]);
  expect(analytics.track("User signed in", {})).toBe(false);
});

test("consent given later identifies the user and sends nothing from before", () => {
  const analytics = createAnalytics();
  analytics.connect([]);
  analytics.identify(ada);
  analytics.track("User signed in", {});
  const late = adapter(0);
  analytics.connect([late]);
  expect(late.heard).toEqual([["identify", "1"]]);
});

test("withdrawing consent stops pending events", () => {
  const analytics = createAnalytics();
  const one = adapter(500);
  analytics.connect([one]);
  analytics.page("/dashboard");
  analytics.connect([]);
  vi.runAllTimers();
  expect(one.heard).toEqual([]);
});

test("a user is identified once, and again when their data changes", () => {
  const analytics = createAnalytics();
  const one = adapter(0);
  analytics.connect([one]);
  for (const person of [ada, ada, { ...ada, confirmed: true }, null, null]) analytics.identify(person);
  expect(one.heard).toEqual([
    ["identify", "1"],
    ["identify", "1"],
    ["identify", null],
  ]);
});

test("a failing adapter affects neither the page nor the others", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const analytics = createAnalytics();
  const one = adapter(0);
  analytics.connect([
    {
      ...one,
      track: () => {
        throw new Error("broken");
      },
    },
    one,
  ]);
  analytics.track("User signed in", {});
  expect(one.heard).toEqual([["User signed in", {}]]);
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});
