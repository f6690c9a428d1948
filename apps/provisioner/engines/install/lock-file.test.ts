import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDifferences, findMissing, type LockedPackage } from "./lock-file.ts";

const locked = (name: string, isOptional = false): LockedPackage => ({
  path: `node_modules/${name}`,
  version: "1.0.0",
  integrity: "sha512-x",
  isOptional,
});
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function build(packages: Record<string, { version: string; integrity?: string }>): Promise<void> {
  for (const [name, { version }] of Object.entries(packages)) {
    await mkdir(join(folder, "node_modules", name), { recursive: true });
    await writeFile(join(folder, "node_modules", name, "package.json"), JSON.stringify({ version }));
  }
  const arrived = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, { integrity: "sha512-x", ...entry }]);
  await writeFile(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages: Object.fromEntries(arrived) }));
}

test("a tree that matches its lock has no differences, even without optional packages", async () => {
  await build({ a: { version: "1.0.0" } });
  expect(await findDifferences(folder, [locked("a"), locked("for-another-system", true)])).toEqual([]);
});

test("missing, different, altered and extra packages are each named", async () => {
  await build({ b: { version: "1.0.1" }, c: { version: "1.0.0", integrity: "sha512-y" }, d: { version: "1.0.0" } });
  expect(await findDifferences(folder, [locked("a"), locked("b"), locked("c")])).toEqual([
    "node_modules/a: missing",
    "node_modules/b: 1.0.1 instead of 1.0.0",
    "node_modules/c: other contents than qualified",
    "node_modules/d: not in the lock file",
  ]);
});

test("fewer packages are missing as they arrive", async () => {
  const all = [locked("a"), locked("b")];
  expect(await findMissing(folder, all)).toHaveLength(2);
  await build({ a: { version: "1.0.0" } });
  expect(await findMissing(folder, all)).toEqual([locked("b")]);
});
