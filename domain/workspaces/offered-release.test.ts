import { expect, test } from "vitest";
import { offerVersions, type OfferedRelease } from "./offered-release.ts";

const release = (version: string, migrations: number): OfferedRelease => ({
  version,
  releasedAt: "2026-01-01",
  channel: "stable",
  migrations,
});
const releases = [release("2.40.7", 12), release("2.38.7", 10)];
const offered = (desiredVersion: string) =>
  offerVersions(releases, { desiredVersion, observedVersion: desiredVersion }).map(({ name, isPossible, needsMigration }) => [
    name,
    isPossible,
    needsMigration,
  ]);

test.each([
  [
    "2.38.7",
    [
      ["2.40.7", true, true],
      ["2.38.7", true, false],
    ],
  ],
  [
    "2.40.7",
    [
      ["2.40.7", true, false],
      ["2.38.7", false, false],
    ],
  ],
])("from %s, %j are offered", (from, expected) => expect(offered(from)).toEqual(expected));

test("a workspace on a release that has left the repository is offered newer ones only, each as one that migrates", () => {
  expect(offered("2.39.0")).toEqual([
    ["2.40.7", true, true],
    ["2.38.7", false, true],
  ]);
  expect(offered("2.41.0")).toEqual([
    ["2.40.7", false, true],
    ["2.38.7", false, true],
  ]);
  expect(offered("2.9.0").map(([, isPossible]) => isPossible)).toEqual([true, true]);
});
