/**
 * The short form of `npm run chaos`: a few rounds with every victim, always the same, on the real program with real Node-REDs, and with
 * workspaces that sleep.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { installReleases } from "../tools/chaos/engines/install-releases.ts";
import { openLane, type Lane } from "../tools/chaos/lane.ts";
import { describeRound, type RoundPlan } from "../tools/chaos/round/plan-round.ts";
import { runRound } from "../tools/chaos/round/run-round.ts";

/** `npm run chaos` allows 30 s on a quiet machine. Beside other tests everything takes longer, so only the recovery counts here. */
const convergeMs = 120_000;

const rounds: Omit<RoundPlan, "number" | "fromSleep">[] = [
  { action: "backup", faults: [{ victim: "control plane", afterMs: 350 }], choice: 0 },
  {
    action: "restore",
    faults: [
      { victim: "control plane", afterMs: 1_500 },
      { victim: "workspace", afterMs: 900 },
    ],
    choice: 0,
  },
  { action: "update", faults: [{ victim: "PostgreSQL", afterMs: 1_200 }], choice: 1 },
  {
    action: "webhooks",
    faults: [
      { victim: "workspace", afterMs: 700 },
      { victim: "control plane", afterMs: 400 },
    ],
    choice: 1,
  },
  { action: "launch", faults: [{ victim: "PostgreSQL", afterMs: 600 }], choice: 0 },
  {
    action: "delete",
    faults: [
      { victim: "control plane", afterMs: 800 },
      { victim: "SIGHUP", afterMs: 1_500 },
    ],
    choice: 0,
  },
  { action: "settings", faults: [{ victim: "workspace", afterMs: 300 }], choice: 0 },
  {
    action: "backup",
    faults: [
      { victim: "silence", afterMs: 50 },
      { victim: "control plane", afterMs: 0 },
    ],
    choice: 1,
  },
];

const sleepRounds: Omit<RoundPlan, "number">[] = [
  {
    action: "wake storm",
    faults: [
      { victim: "workspace", afterMs: 100 },
      { victim: "control plane", afterMs: 150 },
    ],
    choice: 0,
    fromSleep: "frozen",
  },
];

describe("with real Node-REDs", () => {
  let lane: Lane;
  beforeAll(async () => {
    await installReleases("node-red");
    lane = await openLane({ engine: "node-red", name: "chaos" });
  });
  afterAll(() => lane?.[Symbol.asyncDispose]());

  test.each(rounds.map((round, number) => [describeRound({ ...round, number, fromSleep: false }), { ...round, number }] as const))(
    "nothing is lost and nothing done twice: %s",
    (_title, plan) => carryOut(lane, { ...plan, fromSleep: false }),
  );
});

describe("with workspaces that sleep", () => {
  let lane: Lane;
  beforeAll(async () => {
    lane = await openLane({ engine: "stand-in", name: "asleep" });
  });
  afterAll(() => lane?.[Symbol.asyncDispose]());
  beforeEach(({ skip }) => skip(!lane.sleeps, "this host cannot freeze workspaces"));

  test.each(sleepRounds.map((round, number) => [describeRound({ ...round, number }), { ...round, number }] as const))(
    "nothing is lost, left frozen or counted twice: %s",
    (_title, plan) => carryOut(lane, plan),
  );
});

async function carryOut(lane: Lane, plan: RoundPlan): Promise<void> {
  const { action, convergedMs, violations } = await runRound(lane, plan, { convergeMs });
  expect(violations).toEqual([]);
  expect([action, convergedMs]).toEqual([plan.action, expect.any(Number)]);
}
