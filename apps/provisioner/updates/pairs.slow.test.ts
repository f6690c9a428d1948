/**
 * Every pair of acts on one workspace, the second at steps spread over the first: the outcome is the promised one, and state, data, history,
 * mails and journal agree. `PAIR_STEP=1` plays every step; `PAIRS="update x restore;backup x delete"` only these.
 */
import { expect, test } from "vitest";
import { actNames, type ActName } from "#testing/fleet/pairs/pair-acts.ts";
import { createPairHost } from "#testing/fleet/pairs/pair-host.ts";
import { playPair } from "#testing/fleet/pairs/play-pair.ts";
import { promisedPairs } from "#testing/fleet/pairs/promised-pairs.ts";

type Pair = readonly [ActName, ActName];
const named = process.env["PAIRS"]?.split(";").map((pair) => pair.split(" x ") as unknown as Pair);
const pairs: readonly Pair[] = named ?? actNames.flatMap((first) => actNames.map((second) => [first, second] as const));
/** A worker makes up to forty-five changes for an act: five moments of the longest. */
const step = Number(process.env["PAIR_STEP"] ?? 9);

test("whatever second act begins at a step of the first, both end as promised, and all that is told agrees with it", async () => {
  const waiting = [...pairs];
  const found: string[] = [];
  // Each has a service and a host, whose pairs are played one after the other: while one waits for a stop, another works.
  const lane = async (): Promise<void> => {
    await using host = await createPairHost();
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      const [first, second] = pair;
      for (let at = 0; ; at += step) {
        const played = await playPair(host, first, second, at).catch((error: unknown) => ({
          outcome: String(error),
          violations: [],
        }));
        if (!played) break;
        const promised: readonly string[] = promisedPairs[first][second];
        const unexpected = promised.includes(played.outcome) ? [] : [`${played.outcome}, not ${promised.join(" or ")}`];
        found.push(...[...unexpected, ...played.violations].map((each) => `${first} x ${second} at ${at}: ${each}`));
        // A host on which a pair did not end is no place for the next one.
        if (played.outcome.startsWith("Error")) break;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(6, pairs.length) }, lane));
  expect(found).toEqual([]);
});
