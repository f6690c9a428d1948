/**
 * `npm run bench`: ratios against baselines of the same run, beside their budgets. A name measures only one part: `npm run bench --
 * webhooks`. `--keep` replaces its figures in docs/figures, and the README's pictures.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { benchAuthMe } from "./auth-me.ts";
import type { BenchRow } from "./bench-row.ts";
import { benchDensity } from "./density.ts";
import { benchFleet } from "./fleet.ts";
import { benchGateway } from "./gateway.ts";
import { benchLaunch } from "./launch.ts";
import { benchMemory } from "./memory.ts";
import { startPanel } from "./panel/start-panel.ts";
import { benchPoolLaunch } from "./pool-launch.ts";
import { describeMachine, ratioOf, verdictOf, type RunReport } from "./report/run-report.ts";
import { keepRun, saveRun } from "./report/save-report.ts";
import { endBare, startBare } from "./start-bare.ts";
import { benchRenewals } from "./renewals.ts";
import { benchSubscriptions } from "./subscriptions.ts";
import { benchWebhooks } from "./webhooks.ts";

const report: RunReport = {};
let part = "";
const add = (row: BenchRow) => {
  (report[part] ??= { measuredAt: new Date().toISOString(), machine: describeMachine(), rows: [] }).rows.push(row);
  process.stdout.write(
    `${ratioOf(row).padStart(6)}  ${row.budget.padEnd(10)} ${verdictOf(row).padEnd(13)} ${row.what}\n${" ".repeat(32)}${row.detail}\n`,
  );
};

/** In the order in which they are measured. */
const parts: Record<string, () => Promise<void>> = {
  subscriptions: async () => add(await benchSubscriptions()),
  renewals: () => benchRenewals(add),
  fleet: () => benchFleet(add),
  panel: async () => {
    const panel = await startPanel(3410, { ENGINES_DIR: enginesCacheDir });
    try {
      add(await idleMemory(panel.pid));
      add(await benchAuthMe(panel));
    } finally {
      await panel.stop();
    }
  },
  launch: async () => {
    add(await benchLaunch());
    add(await benchPoolLaunch());
  },
  gateway: async () => {
    const bare = await startBare();
    try {
      const port = Number(bare.run.address.split(":")[1]);
      for (const each of await benchGateway({ workspace: { port, path: "/rest/settings" } })) add(each);
    } finally {
      await endBare(bare);
    }
  },
  memory: async () => {
    for (const each of await benchMemory()) add(each);
  },
  webhooks: async () => add(await benchWebhooks()),
  density: () => benchDensity(add),
};

/** Takes up to twenty minutes and gigabytes of memory, so it is measured only if named. */
const onlyByName = new Set(["density"]);

const keeps = process.argv.includes("--keep");
const named = process.argv.slice(2).filter((word) => word !== "--keep");
if (named.every((name) => Object.hasOwn(parts, name))) {
  const chosen = Object.keys(parts).filter((name) => (named.length === 0 ? !onlyByName.has(name) : named.includes(name)));
  process.stdout.write(" ratio  budget     verdict       what\n");
  for (part of chosen) {
    // If one fails, the figures of the others must not be lost.
    await parts[part]!().catch((error: unknown) =>
      add({ what: part, ratio: null, budget: "", ok: false, detail: `could not be measured: ${String(error)}` }),
    );
  }
  process.stdout.write(`\nWritten to ${saveRun(report)}.json and .md.\n`);
  if (keeps) keepRun(report);
  process.exitCode = Object.values(report).every(({ rows }) => rows.every(({ ok }) => ok !== false)) ? 0 : 1;
} else {
  process.stderr.write(
    `Name any of these, or none for all but density: ${Object.keys(parts).join(", ")}. --keep puts the figures into docs/figures.\n`,
  );
  process.exitCode = 2;
}

/** Resident memory of the idle control plane against its budget of 200 MB; Linux only. */
async function idleMemory(pid: number): Promise<BenchRow> {
  const what = "memory of the idle control plane against 200 MB";
  // Memory left over from its start and the sign-up is collected after some 10 s.
  await sleep(15_000);
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN);
  if (Number.isNaN(kb)) return { what, ratio: null, budget: "≤ 1", ok: null, detail: "only Linux tells" };
  const ratio = kb / 1024 / 200;
  return { what, ratio, budget: "≤ 1", ok: ratio <= 1, detail: `${Math.round(kb / 1024)} MB` };
}
