/** Runs axe on the current page; the product promises WCAG 2.2 AA. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { isQuickRun } from "../this-run.ts";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const standard: axe.RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** The rules of that standard about colours. All others check elements, which are the same in both schemes. */
const colours: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

const schemes = { light: standard, dark: colours };
const checked: (keyof typeof schemes)[] = isQuickRun ? ["light"] : ["light", "dark"];

/** A busy machine may take this long to draw a page in other colours. */
const settleMs = 60_000;

let source: string | undefined;

/**
 * Fails with each problem and its place, in both colour schemes; in `npm test` only in the light one. Frames are left out: ours show mails,
 * sandboxed, without scripts.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const scheme of checked)
    // A page that is being redrawn is checked again; a real problem stays.
    await expect.poll(() => findProblems(page, scheme), { timeout: settleMs, message: `${page.url()} in ${scheme}` }).toEqual([]);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** The current problems of the page, which stays in this colour scheme. In the dark one, only those of colours. */
export async function findProblems(page: Page, colorScheme: keyof typeof schemes): Promise<{ id: string; where: string[] }[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(drawn);
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate((source ??= readSource()));
  return page.evaluate(
    (runOnly) =>
      window
        .axe!.run(document, { runOnly, iframes: false, resultTypes: ["violations"] })
        .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }))),
    schemes[colorScheme],
  );
}

/** The new colours are drawn with the next frame, or by a transition: a measurement before that mixes both schemes. */
async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const passes = ({ playState, effect }: Animation): boolean =>
    playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime);
  const passing = document.getAnimations().filter(passes);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}

const readSource = (): string => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
