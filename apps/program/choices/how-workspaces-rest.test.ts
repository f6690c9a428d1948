import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { systemClock } from "#platform/clock.ts";
import { engineList, type EngineOptions } from "../../provisioner/engines/engine-list.ts";
import { howWorkspacesRest } from "./how-workspaces-rest.ts";

const options = {
  enginesDir: tmpdir(),
  nodeBinary: process.execPath,
  signingKey: generateKeyPairSync("ed25519").privateKey,
  clock: systemClock,
} as unknown as EngineOptions;

test("idle workspaces of every engine sleep, or are paged out while they cannot, and neither happens where sleep is off", () => {
  const rest = (setting: "auto" | "off") => engineNames.map((name) => [name, howWorkspacesRest(setting, engineList[name](options))]);
  expect(Object.fromEntries(rest("auto"))).toEqual({
    n8n: { sleeps: true, pagesOut: true },
    "node-red": { sleeps: true, pagesOut: true },
  });
  expect(Object.fromEntries(rest("off"))).toEqual({
    n8n: { sleeps: false, pagesOut: false },
    "node-red": { sleeps: false, pagesOut: false },
  });
});
