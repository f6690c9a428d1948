import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { engineNames, engineTraits } from "#contract/workspaces/engine-names.ts";
import { systemClock } from "#platform/clock.ts";
import { engineList } from "./engine-list.ts";

const options = {
  enginesDir: tmpdir(),
  nodeBinary: process.execPath,
  signingKey: generateKeyPairSync("ed25519").privateKey,
  clock: systemClock,
  secureCookies: false,
};

test.each(engineNames)("what the panel takes %s to have is what it has", (name) => {
  const { members, webhookPath } = engineList[name](options);
  expect(engineTraits[name]).toMatchObject({ members: members !== undefined, webhooks: webhookPath !== undefined });
});
