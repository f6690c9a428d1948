/** Measures one page with Lighthouse, several times. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DrivenBrowser, Lighthouse, LighthouseResult } from "./load-lighthouse.ts";
import type { Form, PageFigures } from "./report.ts";

export interface MeasuredPage {
  name: string;
  path: string;
  isForVisitors?: boolean;
}

type Lhr = LighthouseResult["lhr"];

/** Until the previous page is gone and the program has answered its requests. */
const restMs = 1_000;
/** Points of a category below which an audit counts as a loss. */
const lossPoints = 0.5;

/**
 * The medians of `runs` runs, each with an empty cache, and the whole report of the median run. Throws if the page redirects, because the
 * figures would be another page's.
 */
export async function measurePage(
  lighthouse: Lighthouse,
  browser: DrivenBrowser,
  url: string,
  { page, form, runs }: { page: MeasuredPage; form: Form; runs: number },
): Promise<{ figures: PageFigures; whole: Lhr }> {
  const categories = ["performance", "accessibility", "best-practices", ...(page.isForVisitors ? ["seo"] : [])];
  const results: Lhr[] = [];
  for (let run = 0; run < runs; run += 1) {
    const tab = await browser.newPage();
    const flags = { output: "json", logLevel: "silent", onlyCategories: categories, disableFullPageScreenshot: true };
    const result = await lighthouse.run(url + page.path, flags, form === "desk" ? lighthouse.desktopConfig : undefined, tab);
    await tab.close();
    if (!result || result.lhr.runtimeError)
      throw new Error(`${page.path}: ${result?.lhr.runtimeError?.message ?? "Lighthouse has no result"}`);
    if (new URL(result.lhr.finalDisplayedUrl).pathname !== page.path)
      throw new Error(`${page.path} led to ${result.lhr.finalDisplayedUrl}`);
    results.push(result.lhr);
    await sleep(restMs);
  }
  const inOrder = results.toSorted((a, b) => a.categories["performance"]!.score! - b.categories["performance"]!.score!);
  const whole = inOrder[results.length >> 1]!;
  return { figures: { ...medians(page, form, results), lost: losses(whole) }, whole };
}

function medians({ name: page }: MeasuredPage, form: Form, results: Lhr[]): Omit<PageFigures, "lost"> {
  const score = (id: string): number | null =>
    results.every(({ categories }) => typeof categories[id]?.score === "number")
      ? Math.round(median(results.map(({ categories }) => categories[id]!.score! * 100)))
      : null;
  const value = (id: string): number => Math.round(median(results.map(({ audits }) => audits[id]?.numericValue ?? 0)));
  return {
    page,
    form,
    runs: results.length,
    performance: score("performance") ?? 0,
    accessibility: score("accessibility") ?? 0,
    bestPractices: score("best-practices") ?? 0,
    seo: score("seo"),
    firstPaintMs: value("first-contentful-paint"),
    largestPaintMs: value("largest-contentful-paint"),
    blockedMs: value("total-blocking-time"),
    layoutShift: Math.max(...results.map(({ audits }) => Number((audits["cumulative-layout-shift"]?.numericValue ?? 0).toFixed(4)))),
    benchmarkIndex: Math.round(median(results.map(({ environment }) => environment.benchmarkIndex))),
  };
}

/** Which audits cost their category at least half a point, the worst first. */
function losses({ categories, audits }: Lhr): string[] {
  const found = Object.values(categories).flatMap(({ auditRefs }) => {
    const all = auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && audits[id] !== undefined);
    const total = all.reduce((sum, { weight }) => sum + weight, 0);
    return all.map(({ id, weight }) => ({ audit: audits[id]!, points: (weight / total) * (1 - audits[id]!.score!) * 100 }));
  });
  return found
    .filter(({ points }) => points >= lossPoints)
    .toSorted((a, b) => b.points - a.points)
    .map(({ audit: { title, displayValue }, points }) => `${title}${displayValue ? ` ${displayValue}` : ""} (−${points.toFixed(1)})`);
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}
