/** `npm run chaos`: kills workspaces, the control plane and PostgreSQL at random moments, and checks that everything recovers. */
import { engineHands } from "./engines/engine-hands.ts";
import { installReleases } from "./engines/install-releases.ts";
import { enterOwnHost, hasOwnHost } from "./harm/own-host.ts";
import { planRound } from "./round/plan-round.ts";
import { readOptions, type ChaosOptions } from "./read-options.ts";
import { reportRound, reportRun } from "./round/report.ts";
import { runRounds } from "./round/run-rounds.ts";

const runs = readOptions(process.argv.slice(2));
if (!hasOwnHost()) for (const { engine } of runs) await installReleases(engine);
const ended = await enterOwnHost();
if (ended !== undefined) process.exit(ended);
let isSound = true;
for (const run of runs) isSound = (await makeRun(run)) && isSound;
process.exitCode = isSound ? 0 : 1;

/** Whether every round was carried out without a violation. */
async function makeRun({ engine, seed, from, rounds, lanes, convergeMs }: ChaosOptions): Promise<boolean> {
  process.stdout.write(`${rounds} rounds of seed ${seed} with ${engine}, in ${lanes} parallel programs.\n`);
  const plans = Array.from({ length: rounds }, (_, index) => planRound(seed, from + index, engineHands[engine].sleeps));
  const began = performance.now();
  const running = Array.from({ length: Math.min(lanes, rounds) }, (_, lane) =>
    runRounds({
      engine,
      name: `chaos-${lane + 1}`,
      // Every second program has a separate database and bucket.
      apart: lane % 2 === 1,
      convergeMs,
      plans: plans.filter((_plan, index) => index % lanes === lane),
      onRound: (result) => process.stdout.write(`${reportRound(result, { engine, seed })}\n`),
    }),
  );
  const results = (await Promise.all(running)).flat();
  const tookSeconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`${reportRun(results)}\n${results.length} of ${rounds} rounds in ${tookSeconds} s\n`);
  return results.length === rounds && results.every(({ violations }) => violations.length === 0);
}
