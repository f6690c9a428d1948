import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readReleases, type ReleaseFile } from "#apps/provisioner/engines/releases/read-releases.ts";
import { writeRelease } from "./write-release.ts";

const release = (version: string, memoryMb = 100): ReleaseFile => ({
  engine: "node-red",
  version,
  releasedAt: "2026-09-08T14:54:42.338Z",
  packages: 1,
  channel: "stable",
  diskMb: 1,
  qualified: { node: "24.0.0", installSeconds: 1, readySeconds: 1, memoryMb, checks: [] },
});

function folders() {
  const root = mkdtempSync(join(tmpdir(), "slipway-write-release-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [from, releasesFolder] = [join(root, "from"), join(root, "engine/releases")];
  for (const folder of [from, releasesFolder]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(from, "package.json"), "{}");
  writeFileSync(join(from, "package-lock.json"), "{}");
  return { from, releasesFolder, read: () => readReleases("node-red", releasesFolder).map(({ version }) => version) };
}

test("a release that could not be written whole is not there at all, and the other releases can still be read", async () => {
  const { from, releasesFolder, read } = folders();
  await writeRelease(from, releasesFolder, release("4.1.14"));
  rmSync(join(from, "package-lock.json"));
  await expect(writeRelease(from, releasesFolder, release("4.1.15"))).rejects.toThrow("ENOENT");
  expect(read()).toEqual(["4.1.14"]);
  writeFileSync(join(from, "package-lock.json"), "{}");
  await writeRelease(from, releasesFolder, release("4.1.15"));
  expect(read()).toEqual(["4.1.15", "4.1.14"]);
});

test("a release that is qualified again replaces the one that was there", async () => {
  const { from, releasesFolder, read } = folders();
  await writeRelease(from, releasesFolder, release("4.1.14"));
  await writeRelease(from, releasesFolder, release("4.1.14", 200));
  expect(read()).toEqual(["4.1.14"]);
  expect(readFileSync(join(releasesFolder, "4.1.14/release.json"), "utf8")).toContain('"memoryMb": 200');
});
