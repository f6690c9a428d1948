/** Plans a round from its seed and number alone, so that a failed round can be repeated. */
import { seededChoices, type SeededChoices } from "#platform/seeded-random.ts";

export const wakingActions = ["launch", "update", "backup", "restore", "delete", "settings", "webhooks"] as const;
/** All workspaces fall asleep; requests reach all of them while they sleep; all sleep, and only the fault happens. */
export const sleepActions = ["sleep", "wake storm", "frozen"] as const;
export const actions = [...wakingActions, ...sleepActions] as const;
export type Action = (typeof actions)[number];

/**
 * The first three are killed with `kill -9`; `SIGHUP` is what a closed terminal sends the control plane. `silence`: every workspace is
 * alive but answers nothing for some seconds, whatever it is doing. The rest are faults of what the program depends on. Databases and
 * buckets that can be cut off, and those that cannot, are in different lanes, so each lane skips the faults it does not have.
 */
export const victims = [
  "workspace",
  "control plane",
  "PostgreSQL",
  "silence",
  "SIGHUP",
  "frozen PostgreSQL",
  "dropped packets",
  "hanging S3",
  "flushed firewall",
  "full disk",
  "read-only disk",
] as const;
export type Victim = (typeof victims)[number];

interface Fault {
  victim: Victim;
  /** After the action began, or after the previous fault. */
  afterMs: number;
}

export interface RoundPlan {
  number: number;
  action: Action;
  faults: Fault[];
  /** Selects among the workspaces for which the action is possible; a large number. */
  choice: number;
  /** If workspaces sleep: the customer's request finds all of them asleep in this form. */
  fromSleep: false | Sleep;
}

/** Frozen, or stopped until the next use. */
export type Sleep = "frozen" | "stopped";
/** Half of the rounds begin with workspaces awake. */
const beginnings: (false | Sleep)[] = [false, false, "frozen", "stopped"];

/** Each is a little longer than the action takes on a quiet machine, so that a fault can hit any moment of it and the one after. */
const longestFirstMs: Record<Action, number> = {
  launch: 3_000,
  update: 6_000,
  backup: 2_000,
  restore: 6_000,
  delete: 3_000,
  settings: 3_000,
  webhooks: 3_000,
  sleep: 3_000,
  "wake storm": 2_000,
  frozen: 500,
};
/** As long as the program needs to restart, so that the next fault can hit a start. */
const longestNextMs = 4_000;
/** Three of five rounds have one fault; the rest two or three in a row. */
const faultCounts = [1, 1, 1, 2, 3];

/** Every action with every victim as its first: a run of this many rounds leaves none out. */
const pairsOf = (possible: readonly Action[]) => possible.flatMap((action) => victims.map((victim) => ({ action, victim })));

/** The round `number` of the run with this seed, where workspaces sleep or where they do not. */
export function planRound(seed: number, number: number, sleeps: boolean): RoundPlan {
  const pairs = pairsOf(sleeps ? actions : wakingActions);
  const { action, victim } = shuffle(pairs, diceOf(seed, -1 - Math.floor(number / pairs.length)))[number % pairs.length]!;
  const dice = diceOf(seed, number);
  const more = Array.from({ length: dice.pick(faultCounts) - 1 }, (): Fault => ({
    victim: dice.pick(victims),
    afterMs: dice.below(longestNextMs),
  }));
  const faults = [{ victim, afterMs: dice.below(longestFirstMs[action]) }, ...more];
  return { number, action, faults, choice: dice.below(2 ** 30), fromSleep: sleeps && dice.pick(beginnings) };
}

const diceOf = (seed: number, number: number): SeededChoices =>
  seededChoices(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));

function shuffle<Item>(items: readonly Item[], dice: SeededChoices): Item[] {
  const left = [...items];
  return items.map(() => left.splice(dice.below(left.length), 1)[0]!);
}

/** A round on one line, for the progress output. */
export const describeRound = ({ action, faults, fromSleep }: RoundPlan): string =>
  `${action.padEnd(10)} ${fromSleep ? `all ${fromSleep}, ` : ""}${faults.map(({ victim, afterMs }) => `${victim} after ${afterMs} ms`).join(", ")}`;
