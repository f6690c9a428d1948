/**
 * `npm run bench`: ratios against baselines of the same run, beside their budgets. A name measures only one part: `npm run bench --
 * webhooks`.
 */
import { readFile } from "node:fs/promises";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { benchAuthMe } from "./auth-me.ts";
import type { BenchRow } from "./bench-row.ts";
import { benchFleet } from "./fleet.ts";
import { benchGateway } from "./gateway.ts";
import { benchLaunch } from "./launch.ts";
import { benchMemory } from "./memory.ts";
import { startPanel } from "./panel/start-panel.ts";
import { endBare, startBare } from "./start-bare.ts";
import { benchSubscriptions } from "./subscriptions.ts";
import { benchWebhooks } from "./webhooks.ts";

const rows: BenchRow[] = [];
const add = (row: BenchRow) => {
  rows.push(row);
  const ratio = row.ratio === null ? "   –" : row.ratio.toFixed(2);
  const verdict = row.ok === null ? "not measured" : row.ok ? "ok" : "MISSED";
  process.stdout.write(
    `${ratio.padStart(6)}  ${row.budget.padEnd(10)} ${verdict.padEnd(13)} ${row.what}\n${" ".repeat(32)}${row.detail}\n`,
  );
};

/** In the order in which they are measured. */
const parts: Record<string, () => Promise<void>> = {
  subscriptions: async () => add(await benchSubscriptions()),
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
  launch: async () => add(await benchLaunch()),
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
};

const chosen = process.argv.slice(2);
if (chosen.every((name) => Object.hasOwn(parts, name))) {
  process.stdout.write(" ratio  budget     verdict       what\n");
  for (const [name, measure] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await measure();
  process.exitCode = rows.every((each) => each.ok !== false) ? 0 : 1;
} else {
  process.stderr.write(`Name any of these, or none for all: ${Object.keys(parts).join(", ")}.\n`);
  process.exitCode = 2;
}

/** Resident memory of the idle control plane against its budget of 200 MB; Linux only. */
async function idleMemory(pid: number): Promise<BenchRow> {
  const what = "memory of the idle control plane against 200 MB";
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN);
  if (Number.isNaN(kb)) return { what, ratio: null, budget: "≤ 1", ok: null, detail: "only Linux tells" };
  const ratio = kb / 1024 / 200;
  return { what, ratio, budget: "≤ 1", ok: ratio <= 1, detail: `${Math.round(kb / 1024)} MB` };
}
