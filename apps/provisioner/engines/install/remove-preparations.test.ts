import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { after, hourMs } from "#platform/clock.ts";
import { preparedFormat } from "./prepared-release.ts";
import { removePreparations } from "./remove-preparations.ts";
import { removeTree } from "./seal-tree.ts";

const own = `${process.version}-${process.arch}-0123abcd`;
const older = `v22.1.0-${process.arch}-89abcdef`;

/** Prepared releases, sealed as they are on a host. */
function prepared(...places: string[]): { enginesDir: string; left(): string[] } {
  const enginesDir = mkdtempSync(join(tmpdir(), "slipway-preparations-"));
  onTestFinished(() => removeTree(enginesDir));
  for (const place of places) {
    const folder = join(enginesDir, "prepared", place);
    mkdirSync(join(folder, "compiled"), { recursive: true });
    writeFileSync(join(folder, "compiled", "file"), "code");
    for (const each of [join(folder, "compiled"), folder]) chmodSync(each, 0o555);
  }
  return { enginesDir, left: () => places.filter((place) => existsSync(join(enginesDir, "prepared", place))) };
}

test("preparations for a release that no workspace uses are removed, and others stay", async () => {
  const [used, newest, unused] = [
    `${preparedFormat}/n8n-2.38.7/${own}`,
    `${preparedFormat}/n8n-2.40.7/${own}`,
    `${preparedFormat}/n8n-2.37.0/${own}`,
  ];
  const { enginesDir, left } = prepared(used, newest, unused);
  const uses = ["2.38.7", "2.40.7"].map((version) => ({ engine: "n8n", version, runsSince: null }));
  expect(await removePreparations(enginesDir, uses)).toEqual([join(enginesDir, "prepared", unused)]);
  expect(left()).toEqual([used, newest]);
  expect(existsSync(join(enginesDir, `prepared/${preparedFormat}/n8n-2.37.0`))).toBe(false);
});

test("preparations of another Node or an earlier format stay until all running workspaces were started with the present one", async () => {
  const places = [`${preparedFormat}/n8n-2.40.7/${own}`, `${preparedFormat}/n8n-2.40.7/${older}`, `0/n8n-2.40.7/${own}`];
  const { enginesDir, left } = prepared(...places);
  const use = { engine: "n8n", version: "2.40.7" };
  expect(await removePreparations(enginesDir, [{ ...use, runsSince: after(new Date(), -hourMs) }])).toEqual([]);
  expect(left()).toEqual(places);
  await removePreparations(enginesDir, [{ ...use, runsSince: after(new Date(), hourMs) }]);
  expect(left()).toEqual([places[0]]);
});

test("without a preparation by this Node, an earlier one stays, and a folder without any is not a failure", async () => {
  const { enginesDir, left } = prepared(`${preparedFormat}/n8n-2.40.7/${older}`);
  await removePreparations(enginesDir, [{ engine: "n8n", version: "2.40.7", runsSince: null }]);
  expect(left()).toHaveLength(1);
  expect(await removePreparations(join(enginesDir, "none"), [])).toEqual([]);
});
