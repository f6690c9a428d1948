import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLockTrouble, mayRunScripts } from "./check-lock.mjs";
import { root } from "../root.mjs";

const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
const lock = read("package-lock.json");
const manifest = read("package.json");

test("every package comes from the registry with its checksum, under a licence that allows redistribution, without install scripts", () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(400);
  expect(findLockTrouble(lock, manifest)).toEqual([]);
});

test("so do the packages of Lighthouse, which have their own lock", () => {
  const folder = "tools/lighthouse/package";
  expect(findLockTrouble(read(`${folder}/package-lock.json`), read(`${folder}/package.json`))).toEqual([]);
});

test("packages that may run an install script are still there, and still have one", () => {
  const scripts = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1));
  expect([...new Set(scripts)].toSorted()).toEqual(Object.keys(mayRunScripts).toSorted());
});

const good = { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==`, license: "MIT" };

test.each([
  ["an address", { ...good, resolved: "https://elsewhere.example/a.tgz" }, "a comes from https://elsewhere.example/a.tgz"],
  ["a repository", { ...good, resolved: "git+ssh://git@elsewhere.example/a.git#1" }, "a comes from git+ssh"],
  ["a folder", { ...good, link: true }, "a comes from a folder"],
  ["an install script", { ...good, hasInstallScript: true }, "a runs a script when it is installed"],
  ["a missing checksum", { ...good, integrity: undefined }, "a has no checksum by SHA-512"],
  ["a weak checksum", { ...good, integrity: "sha1-aaaa" }, "a has no checksum by SHA-512"],
  ["another licence", { ...good, license: "AGPL-3.0" }, "a has the licence AGPL-3.0"],
  ["a tool's licence in what is shipped", { ...good, license: "EUPL-1.2" }, "a has the licence EUPL-1.2"],
  ["no licence", { ...good, license: undefined }, "a has the licence none"],
  ["a licence beside another", { ...good, license: "(MIT AND SSPL-1.0)" }, "a has the licence (MIT AND SSPL-1.0)"],
  ["a package that was given up", { ...good, deprecated: "use b" }, "a is given up by its makers: use b"],
])("%s is found", (_what, entry, sentence) => {
  expect(findLockTrouble({ packages: { "": {}, "node_modules/a": entry } }, {})).toEqual([expect.stringContaining(sentence)]);
});

test("of several licences to choose from, one must allow redistribution", () => {
  expect(findLockTrouble({ packages: { "node_modules/a": { ...good, license: "(AGPL-3.0 OR MIT)" } } }, {})).toEqual([]);
});

test("a program for a server needs its checksum; one for other systems may lack it", () => {
  const packages = {
    "node_modules/@oxlint/binding-linux-x64-gnu": { version: "1.0.0", optional: true, os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
    "node_modules/@oxlint/binding-win32-x64-msvc": { version: "1.0.0", optional: true, os: ["win32"], cpu: ["x64"] },
  };
  expect(findLockTrouble({ packages }, {})).toEqual([
    expect.stringContaining("binding-linux-x64-gnu has no checksum"),
    expect.stringContaining("binding-linux-x64-gnu has the licence none"),
  ]);
});

test("two versions of a security-relevant package are one too many", () => {
  const packages = { "node_modules/fastify": good, "node_modules/b/node_modules/fastify": { ...good, version: "2.0.0" } };
  expect(findLockTrouble({ packages }, {})).toEqual(["fastify is there more than once: 1.0.0, 2.0.0"]);
});

test.each(["^1.0.0", "latest", "*", "npm:other@1.0.0", "file:../a", "github:a/b", "https://elsewhere.example/a.tgz"])(
  "the version %s is no version",
  (version) => {
    expect(findLockTrouble({ packages: {} }, { dependencies: { a: version } })).toEqual([
      `a is wanted as ${version}, which is no exact version`,
    ]);
  },
);
