/** Pairs of acts that move data, the second before any worker has begun the first; pairs.slow.test.ts has all of them at every stage. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ActName } from "#testing/fleet/pairs/pair-acts.ts";
import { createPairHost, type PairHost } from "#testing/fleet/pairs/pair-host.ts";
import { playPair } from "#testing/fleet/pairs/play-pair.ts";
import { promisedPairs } from "#testing/fleet/pairs/promised-pairs.ts";

let host: PairHost;
beforeAll(async () => void (host = await createPairHost()));
afterAll(() => host?.[Symbol.asyncDispose]());

test.each<[first: ActName, second: ActName, outcome: string]>([
  ["restore", "update", "409 restore_under_way"],
  ["update", "restore", "409 update_under_way"],
  ["delete", "restore", "404 workspace_not_found"],
  ["suspend", "export", "403 account_suspended"],
  ["update", "fleet wave", "both"],
  ["rollback", "delete", "replaces"],
  ["update", "suspend", "resumes"],
])("%s, then %s: %s, and state, data, history, mails and journal agree", async (first, second, outcome) => {
  expect(promisedPairs[first][second]).toContain(outcome);
  expect(await playPair(host, first, second, 0)).toEqual({ outcome, violations: [] });
});
