import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { readLock } from "../install/lock-file.ts";
import { compareVersions, readReleases, releaseFile, usualRelease } from "./read-releases.ts";

const releases = readReleases("n8n", join(import.meta.dirname, "../n8n/releases"));
const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, never>;

test.each(engineNames)("the newest release of %s comes first, and there is a stable one", (engine) => {
  const known = readReleases(engine, join(import.meta.dirname, "..", engine, "releases"));
  const versions = known.map(({ version }) => version);
  expect(usualRelease(known).channel).toBe("stable");
  expect(versions.length).toBeGreaterThan(1);
  expect(versions).toEqual(versions.toSorted(compareVersions).toReversed());
  expect(["2.9.0", "2.10.0", "1.99.9"].toSorted(compareVersions)).toEqual(["1.99.9", "2.9.0", "2.10.0"]);
});

test("new workspaces begin with the newest stable release: a new major version is for owners who choose it", () => {
  const [major, stable, older] = [{ channel: "newest" }, { channel: "stable" }, { channel: "stable" }] as const;
  expect(usualRelease([major, stable, older])).toBe(stable);
  expect(usualRelease([stable, older])).toBe(stable);
  expect(usualRelease([major])).toBe(major);
});

test.each(releases)(
  "release $version asks for exact versions, and its lock names every package's bytes and no registry",
  ({ folder, version, packages }) => {
    const manifest = read(folder, "package.json") as unknown as { dependencies: Record<string, string>; overrides: Record<string, string> };
    expect(manifest.dependencies["n8n"]).toBe(version);
    for (const wanted of Object.values({ ...manifest.dependencies, ...manifest.overrides })) expect(wanted).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readFileSync(join(folder, "package-lock.json"), "utf8")).not.toContain('"resolved"');
    const locked = readLock(join(folder, "package-lock.json"));
    expect(locked.filter((entry) => entry.integrity === undefined)).toEqual([]);
    expect(locked.filter((entry) => !entry.isOptional)).toHaveLength(packages);
  },
);

test.each(releases)("release $version was started and tested before it was offered", ({ folder }) => {
  expect(releaseFile.parse(read(folder, "release.json")).qualified.checks.length).toBeGreaterThan(10);
});

test.each(engineNames)("each release of %s but the oldest records what changed since the one before it", (engine) => {
  const known = readReleases(engine, join(import.meta.dirname, "..", engine, "releases"));
  expect(known.map(({ changes }) => changes?.since)).toEqual([...known.slice(1).map(({ version }) => version), undefined]);
});
