/** Runs axe on the current page; the product promises WCAG 2.2 AA. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A busy machine may take this long to draw a page in other colours. */
const settleMs = 60_000;

/** Fails with each problem and its place, in both colour schemes. Frames are left out: ours show mails, sandboxed, without scripts. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The new colours are drawn with the next frame: a measurement before that mixes both schemes.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const look = async () => {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(rules).analyze();
      return violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.target.join(" ")) }));
    };
    // A page that is being redrawn is checked again; a real problem stays.
    await expect.poll(look, { timeout: settleMs, message: `${page.url()} in ${colorScheme}` }).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
