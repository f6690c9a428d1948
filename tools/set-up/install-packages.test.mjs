import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isInstalled } from "./install-packages.mjs";

const wanted = {
  "": { name: "clone" },
  "node_modules/a": { version: "1.0.0" },
  "node_modules/d": { version: "1.0.0", dev: true },
  "node_modules/o": { version: "1.0.0", optional: true },
};

/** A folder whose lock requires `wanted` and where npm has noted `installed`; nothing noted means an interrupted install. */
function folderWith(installed) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }));
  mkdirSync(join(folder, "node_modules"));
  if (installed) writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
  return folder;
}

test("nothing is reinstalled if only packages for other systems are missing", () => {
  const installed = { "node_modules/a": { version: "1.0.0" }, "node_modules/d": { version: "1.0.0" } };
  expect(isInstalled(folderWith(installed), { development: true })).toBe(true);
});

test("development packages may be missing if only the service will run", () => {
  const folder = folderWith({ "node_modules/a": { version: "1.0.0" } });
  expect(isInstalled(folder, { development: false })).toBe(true);
  expect(isInstalled(folder, { development: true })).toBe(false);
});

test.each([
  ["an install that was broken off", undefined],
  ["a missing package", { "node_modules/d": { version: "1.0.0" } }],
  ["another version", { "node_modules/a": { version: "0.9.0" }, "node_modules/d": { version: "1.0.0" } }],
  [
    "another version of an optional package",
    { "node_modules/a": { version: "1.0.0" }, "node_modules/d": { version: "1.0.0" }, "node_modules/o": { version: "0.9.0" } },
  ],
])("%s is noticed", (_what, installed) => {
  expect(isInstalled(folderWith(installed), { development: true })).toBe(false);
});
