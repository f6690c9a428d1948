import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { asMarkdown, mergeReports, shortfalls, type LighthouseReport, type PageFigures } from "./report.ts";

const figures = fileURLToPath(new URL("../../docs/figures/", import.meta.url));

test("docs/figures/lighthouse.md is drawn from the kept figures", () => {
  const kept = JSON.parse(readFileSync(join(figures, "lighthouse.json"), "utf8")) as LighthouseReport;
  expect(readFileSync(join(figures, "lighthouse.md"), "utf8")).toBe(asMarkdown(kept));
});

const good: PageFigures = {
  page: "plans",
  form: "phone",
  runs: 3,
  performance: 98,
  accessibility: 100,
  bestPractices: 100,
  seo: null,
  firstPaintMs: 900,
  largestPaintMs: 1_900,
  blockedMs: 40,
  layoutShift: 0,
  benchmarkIndex: 1_000,
  lost: [],
};
const report = (...rows: Partial<PageFigures>[]): LighthouseReport => ({
  version: "13.5.0",
  measuredAt: "2026-11-23T00:00:00.000Z",
  machine: "two cores",
  figures: rows.map((row) => ({ ...good, ...row })),
});

test("a score below 98 and any layout shift fail, and a score that does not apply does not", () => {
  expect(shortfalls(report({}))).toEqual([]);
  expect(shortfalls(report({ performance: 97, layoutShift: 0.0001 }, { form: "desk", seo: 90 }))).toEqual([
    "plans, phone: performance 97",
    "plans, phone: moved by 0.0001",
    "plans, desk: SEO 90",
  ]);
});

test("a run of some pages keeps the figures of the others, in their order, and drops pages that no longer exist", () => {
  const kept = report({ page: "sign-in", performance: 99 }, {}, { form: "desk" }, { page: "gone" });
  const run = { ...report({ performance: 100 }), measuredAt: "2026-11-24T00:00:00.000Z" };
  const merged = mergeReports(kept, run, ["sign-in", "plans"]);
  expect(merged.figures.map(({ page, form, performance }) => [page, form, performance])).toEqual([
    ["sign-in", "phone", 99],
    ["plans", "phone", 100],
    ["plans", "desk", 98],
  ]);
  expect(merged.measuredAt).toBe(run.measuredAt);
  expect(mergeReports(undefined, run, ["plans"]).figures).toHaveLength(1);
});

test("the page names what cost points", () => {
  const text = asMarkdown(report({ lost: ["Largest Contentful Paint 2.4 s (−2.1)"] }, { form: "desk" }));
  expect(text).toContain("| plans | phone | 98 | 100 | 100 | – | 0.9 s | 1.9 s | 40 ms | 0 | 3 | 1000 |");
  expect(text).toContain("- plans, phone: Largest Contentful Paint 2.4 s (−2.1)\n");
  expect(text).not.toContain("- plans, desk");
});
