import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { markWithDot } from "./state-icon.ts";

test("the tab's icon is the logo itself, with the dot on top", () => {
  const mark = readFileSync(new URL("../../../../public/favicon.svg", import.meta.url), "utf8");
  const drawn = decodeURIComponent(markWithDot(mark, "#e5484d").replace("data:image/svg+xml,", ""));
  expect(drawn.startsWith(mark.trim().slice(0, -"</svg>".length))).toBe(true);
  expect(drawn).toMatch(/<circle [^>]*fill="#e5484d"[^>]*\/><\/svg>$/);
});
