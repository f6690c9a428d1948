/** The copy of npm that workspaces install community nodes with. */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../install/seal-tree.ts";
import { findNpmPlace } from "./npm-place.ts";

test("npm is copied once where every user can run it and none can change it, also when two copies begin together", async () => {
  const enginesDir = mkdtempSync(join(tmpdir(), "slipway-npm-place-"));
  onTestFinished(() => removeTree(enginesDir));
  const npm = findNpmPlace(enginesDir)!;
  expect(npm.isPlaced()).toBe(false);
  await Promise.all([npm.place(), findNpmPlace(enginesDir)!.place()]);
  expect(npm.isPlaced()).toBe(true);
  const folder = dirname(npm.bin);
  expect(readdirSync(enginesDir)).toEqual([folder.split("/").at(-1)]);
  const PATH = `${npm.bin}:${dirname(process.execPath)}:/usr/bin:/bin`;
  expect(`npm-${execFileSync("npm", ["--version"], { env: { PATH, HOME: enginesDir }, encoding: "utf8" }).trim()}`).toBe(
    folder.split("/").at(-1),
  );
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(join(folder, name)))
    .filter((entry) => !entry.isSymbolicLink());
  expect(all.length).toBeGreaterThan(1_000);
  expect(all.filter(({ mode }) => mode & 0o222 || !(mode & 0o004))).toEqual([]);
  expect(existsSync(join(folder, "npm", "bin", "npm-cli.js"))).toBe(true);
});
