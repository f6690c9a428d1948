/** `npm run chaos`: kills workspaces, the control plane and PostgreSQL at random moments, and checks that everything recovers. */
import { installReleases } from "./engines/install-releases.ts";
import { enterOwnHost, hasOwnHost } from "./harm/own-host.ts";
import { planRound } from "./round/plan-round.ts";
import { readOptions } from "./read-options.ts";
import { reportRound, reportRun } from "./round/report.ts";
import { runRounds } from "./round/run-rounds.ts";

const { seed, from, rounds, engine, lanes, convergeMs } = readOptions(process.argv.slice(2));
const plans = Array.from({ length: rounds }, (_, index) => planRound(seed, from + index));
if (!hasOwnHost()) process.stdout.write(`${rounds} rounds of seed ${seed} with ${engine}, in ${lanes} parallel programs.\n`);
if (!hasOwnHost()) await installReleases(engine);
const ended = await enterOwnHost();
if (ended !== undefined) process.exit(ended);
const began = performance.now();
const runs = Array.from({ length: Math.min(lanes, rounds) }, (_, lane) =>
  runRounds({
    engine,
    name: `chaos-${lane + 1}`,
    // Every second program has a separate database and bucket.
    apart: lane % 2 === 1,
    convergeMs,
    plans: plans.filter((_plan, index) => index % lanes === lane),
    onRound: (result) => process.stdout.write(`${reportRound(result, seed)}\n`),
  }),
);
const results = (await Promise.all(runs)).flat();
process.stdout.write(
  `${reportRun(results)}\n${results.length} of ${rounds} rounds in ${Math.round((performance.now() - began) / 1000)} s\n`,
);
process.exitCode = results.length === rounds && results.every(({ violations }) => violations.length === 0) ? 0 : 1;
