import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMissingEntries } from "./complete-lock.mjs";
import { root } from "../root.mjs";

test("the lock lists the packages for every system, without which npm ci refuses it", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  expect(Object.keys(findMissingEntries(packages)), "run node tools/lock/complete-lock.mjs").toEqual([]);
});

test("an added entry names its system", () => {
  const packages = {
    "": {},
    "node_modules/tool": {
      version: "1.0.0",
      dev: true,
      optionalDependencies: { "@tool/binding-linux-arm64-musl": "1.0.0", "@tool/wasm32-wasi": "1.0.0" },
    },
  };
  expect(findMissingEntries(packages)).toEqual({
    "node_modules/@tool/binding-linux-arm64-musl": {
      version: "1.0.0",
      dev: true,
      optional: true,
      os: ["linux"],
      cpu: ["arm64"],
      libc: ["musl"],
    },
    "node_modules/@tool/wasm32-wasi": { version: "1.0.0", dev: true, optional: true, cpu: ["wasm32"] },
  });
});
