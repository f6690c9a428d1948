import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../root.mjs";
import { explainFailure, isInstalled } from "./install-packages.mjs";

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

test.each([
  [
    "npm error code ECONNREFUSED\nnpm error FetchError: request to http://127.0.0.1:9/zod failed, reason: connect ECONNREFUSED",
    "The npm registry at 127.0.0.1:9 can't be reached (ECONNREFUSED). Check the network, or npm's settings for registry and proxy, and try again.",
  ],
  [
    "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo",
    "The npm registry can't be reached (EAI_AGAIN). Check the network, or npm's settings for registry and proxy, and try again.",
  ],
  [
    "npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write\nnpm error code ENOSPC",
    `The packages need 0.8 GB. The disk of ${root} is full. Make room and try again.`,
  ],
  [
    "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /home/ada/.npm/_cacache/tmp",
    "This user may not write to /home/ada/.npm/_cacache/tmp (EACCES). Change its owner or permissions, or remove it, and try again.",
  ],
  [
    "npm error code EINTEGRITY\nnpm error sha512-x",
    "npm ci failed:\nnpm error code EINTEGRITY\nnpm error sha512-x\n\nFix the cause and try again.",
  ],
])("%j is explained", (output, sentence) => {
  expect(explainFailure(output)).toBe(sentence);
});
