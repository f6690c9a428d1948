import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { drawBars } from "./bar-chart.ts";
import { drawFigures } from "./draw-figures.ts";
import { ownedWithStopped, ownedWorkspaces } from "./owned-workspaces.ts";
import { asMarkdown } from "./run-report.ts";
import { readKept } from "./save-report.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test.each(Object.entries(drawFigures(readKept())))("docs/figures/%s is drawn from the kept figures", (name, content) => {
  expect(readFileSync(join(root, "docs/figures", name), "utf8")).toBe(content);
});

test("the README shows both pictures, each light and dark", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const name of Object.keys(drawFigures(readKept()))) expect(readme).toContain(`docs/figures/${name}`);
});

test("what fits follows from its calculation, and ways with missing figures are left out", () => {
  expect(ownedWorkspaces({})).toEqual([]);
  expect(ownedWorkspaces({ bareMb: 400 })).toEqual([{ what: "Bare n8n", awake: 58, asleep: 0, sum: "23552 MB / 400 MB" }]);
  const [awake, compressed, disk] = ownedWorkspaces({ awakeMb: 200, asleepMb: 10, asleepCompressedMb: 90 });
  expect([awake!.awake, awake!.asleep]).toEqual([117, 0]);
  expect([compressed!.awake, compressed!.asleep]).toEqual([21, 193]);
  expect([disk!.awake, disk!.asleep]).toEqual([81, 731]);
});

test("workspaces that are stopped take disk, and what memory is left lets some of them wake", () => {
  const { share, sum } = ownedWithStopped(1_000, 100, { awakeMb: 285, pagedOutMb: 164, stoppedMb: 0, stoppedDiskMb: 6 });
  expect(share).toBeCloseTo(16_400 / 23_552);
  expect(sum).toBe(
    "100 × 164 MB + 900 × 0 MB = 16400 of 23552 MB, and 900 × 6 MB = 5.3 GB of disk; what is left lets 25 of the stopped wake (285 MB each)",
  );
});

test("a chart's longest bar leaves room for its value, and its words can't become markup", () => {
  const chart = {
    title: "Less < more & so on",
    legend: [],
    bars: [
      { label: "one", value: "1", parts: [{ length: 1, tone: "plain" as const }] },
      { label: "two", value: "4", parts: [{ length: 4, tone: "strong" as const }] },
    ],
    note: "",
  };
  const drawn = drawBars(chart, "light");
  expect(drawn).toContain("Less &lt; more &amp; so on");
  expect([...drawn.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width))).toEqual([140, 560]);
});

test("the table has every part's rows, and says what was missed and what could not be measured", () => {
  const row = { what: "a | b", budget: "≤ 1", detail: "" };
  const rows = [
    { ...row, ratio: 2, ok: false },
    { ...row, ratio: null, ok: null },
  ];
  const table = asMarkdown({ launch: { measuredAt: "2026-11-23T00:00:00.000Z", machine: "two cores", rows } });
  expect(table).toContain("| launch | a \\| b | 2.00 | ≤ 1 | MISSED |  |");
  expect(table).toContain("| – | ≤ 1 | not measured |");
  expect(table).toContain("- launch: 2026-11-23, two cores");
});
