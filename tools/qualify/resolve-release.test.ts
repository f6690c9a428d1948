import { expect, test } from "vitest";
import { findUnmetPeers } from "./find-unmet-peers.ts";
import { addOverride, chooseSubstitute, readMissing } from "./resolve-release.ts";

test("missing packages are read from each of npm's three kinds of message", () => {
  expect(readMissing("npm error code ETARGET\nnpm error notarget No matching version found for @scope/some-thing@^0.0.20.\n")).toEqual({
    name: "@scope/some-thing",
    wanted: "^0.0.20",
  });
  expect(
    readMissing(
      "npm error 404  'x'\nnpm error 404  The requested resource 'some-thing@https://host/some-thing/-/some-thing-1.2.3.tgz' could not be found",
    ),
  ).toEqual({ name: "some-thing", wanted: "1.2.3" });
  expect(readMissing("npm error 404  The requested resource 'some-thing@^0.1.11' could not be found")).toEqual({
    name: "some-thing",
    wanted: "^0.1.11",
  });
  expect(readMissing("npm error code ENOSPC")).toBeUndefined();
});

test("a version of the engine that does not exist is named as missing, and nothing takes its place", async () => {
  const manifest = { dependencies: { "node-red": "4.1.99" }, overrides: {} };
  const options = { manifest, folder: "/nowhere", nodeBinary: process.execPath, npmCli: "none", say: () => undefined };
  await expect(addOverride(options as never, "npm error notarget No matching version found for node-red@4.1.99.\n")).rejects.toThrow(
    "node-red@4.1.99 is not in this registry.",
  );
});

test("the substitute is the newest stable version of the same major, or an older one if that failed", () => {
  const versions = ["0.9.0", "1.0.0", "1.1.0", "1.2.0-beta.1", "1.1.5", "2.0.0"];
  expect(chooseSubstitute(versions, "^1.3.0")).toBe("1.1.5");
  expect(chooseSubstitute(versions, "1.1.5")).toBe("1.1.0");
  expect(chooseSubstitute(versions, "^1.3.0", "1.1.5")).toBe("1.1.0");
  expect(chooseSubstitute(versions, "^3.0.0")).toBeUndefined();
});

test("a missing required peer is found, wherever its dependant is", () => {
  const peers = { peerDependencies: { friend: "^2", maybe: "1" }, peerDependenciesMeta: { maybe: { optional: true } } };
  expect(findUnmetPeers({ "node_modules/a": peers })).toEqual([{ dependant: "a", name: "friend", range: "^2" }]);
  expect(findUnmetPeers({ "node_modules/a": peers, "node_modules/friend": {} })).toEqual([]);
  expect(findUnmetPeers({ "node_modules/b/node_modules/@x/a": peers, "node_modules/b/node_modules/friend": {} })).toEqual([]);
});
