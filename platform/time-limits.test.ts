/** Adds up the time limits on a request's way: what waits outside waits longer than all that is inside. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hourMs } from "./clock.ts";
import { timeLimits as limits } from "./time-limits.ts";

const sums: [outer: string, outerMs: number, inner: string, innerMs: number][] = [
  ["a caller", limits.callerMs, "a call: its checks and its handler", limits.checksMs + limits.handlerMs],
  ["the front door's silence", limits.doorSilenceMs, "the checks and the handler", limits.checksMs + limits.handlerMs],
  ["the front door's silence", limits.doorSilenceMs, "the checks and a sender's pause", limits.checksMs + limits.bodySilenceMs],
  ["the front door's silence", limits.doorSilenceMs, "a client that does not read", limits.answerSilenceMs],
  ["the front door's body", limits.doorBodyMs, "the checks and the API's body", limits.checksMs + limits.bodyMs],
  ["a whole body", limits.bodyMs, "a pause in it", limits.bodySilenceMs],
  ["a handler", limits.handlerMs, "its calls to others and a statement", limits.outsideMs + limits.databaseSilenceMs],
  ["a handler", limits.handlerMs, "the wait for a key and a statement", limits.keyWaitMs + limits.databaseSilenceMs],
  ["a handler's calls to others", limits.outsideMs, "one call to the provider", limits.providerMs],
  ["a handler's calls to others", limits.outsideMs, "two reads at the provider", 2 * limits.providerReadMs],
  [
    "a call to the provider",
    limits.providerMs,
    "all its tries and the pauses between them",
    limits.providerTries * limits.providerTryMs + (limits.providerTries - 1) * limits.providerPauseMs,
  ],
  ["the wait for a statement", limits.databaseSilenceMs, "the server's limit of a statement", limits.databaseStatementMs],
  ["the server's limit of a statement", limits.databaseStatementMs, "three waits for a lock", 3 * limits.databaseLockMs],
  ["a handler", limits.handlerMs, "the wait for a connection and a statement", 2 * limits.databaseSilenceMs],
  ["the wait for a statement", limits.databaseSilenceMs, "an idle session, so that a late commit finds it ended", limits.databaseIdleMs],
  ["the lease of a key", limits.keyLeaseMs, "two renewals and a statement", 2 * limits.keyRenewMs + limits.databaseSilenceMs],
  ["the lease of a key", limits.keyLeaseMs, "what is done between two renewals: a call to the provider", limits.providerMs],
  [
    "the wait for a workspace's answer",
    limits.workspaceAnswerMs,
    "its connection and its start",
    limits.connectMs + limits.workspaceWaitMs,
  ],
  ["the wait for a workspace's answer", limits.workspaceAnswerMs, "a pause in an upload", limits.uploadSilenceMs],
  ["the wait for a place", limits.workspaceWaitMs, "the time after which a slow reader must make room", limits.slowReadMs],
];

test.each(sums)("%s (%i ms) outlasts %s (%i ms)", (_outer, outerMs, _inner, innerMs) => {
  expect(outerMs).toBeGreaterThanOrEqual(innerMs);
});

test("a webhook's sender, who usually waits 30 s, is answered before it gives up on a workspace that starts", () => {
  expect(limits.connectMs + limits.workspaceWaitMs).toBeLessThanOrEqual(30_000);
});

test("the panel waits as long as this list says", () => {
  const client = readFileSync(new URL("../apps/web/src/lib/api/api-client.ts", import.meta.url), "utf8");
  const [, written] = /callLimitMs = ([\d_]+);/.exec(client)!;
  expect(Number(written!.replaceAll("_", ""))).toBe(limits.callerMs);
});

test("no limit is endless", () => {
  for (const [name, value] of Object.entries(limits)) expect(value, name).toBeLessThan(hourMs);
});
