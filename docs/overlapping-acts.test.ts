import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderPairs } from "#testing/fleet/pairs/render-pairs.ts";

const page = new URL("./overlapping-acts.md", import.meta.url);

test("the page of overlapping acts has what the suite plays", () => {
  if (process.env["UPDATE_PAGES"]) writeFileSync(page, renderPairs());
  expect(readFileSync(page, "utf8")).toBe(renderPairs());
});
