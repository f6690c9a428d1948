/** Measures GET /api/auth/me against a bare route of the same framework that runs one query, on the same database. */
import { fork, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import type { BenchRow } from "./bench-row.ts";
import type { Panel } from "./panel/start-panel.ts";

const turns = 7;
const turnSeconds = 1;
const connections = 16;

/** Takes turns between the two, so that a neighbour's load falls on both alike. */
export async function benchAuthMe(panel: Panel): Promise<BenchRow> {
  const bare = await startBare(panel);
  try {
    const ratios: number[] = [];
    const reached = { panel: [] as number[], bare: [] as number[] };
    for (let turn = 0; turn <= turns; turn += 1) {
      const ours = await requestsPerSecond(`http://127.0.0.1:${panel.port}/api/auth/me`, { host: `localhost:${panel.port}`, authorization: `Bearer ${panel.token}` });
      const theirs = await requestsPerSecond(`http://127.0.0.1:${bare.port}/me`, {});
      // The first turn only warms everything up.
      if (turn === 0) continue;
      ratios.push(ours / theirs);
      reached.panel.push(ours);
      reached.bare.push(theirs);
    }
    const ratio = median(ratios);
    const detail = `${Math.round(median(reached.panel))} of ${Math.round(median(reached.bare))} req/s at ${connections} connections`;
    return { what: "GET /auth/me against a bare route with one query", ratio, budget: "≥ 0.6", ok: ratio >= 0.6, detail };
  } finally {
    bare.child.kill();
  }
}

async function startBare(panel: Panel): Promise<{ child: ChildProcess; port: number }> {
  const password = await readFile(join(panel.dataDir, "postgres", "password"), "utf8");
  const connection = { host: join(panel.dataDir, "run"), port: 5432, user: "slipway", password, database: "slipway" };
  const tokenHash = createHash("sha256").update(panel.token).digest("hex");
  const child = fork(fileURLToPath(new URL("panel/bare-api-server.ts", import.meta.url)), [JSON.stringify(connection), tokenHash]);
  const [message] = (await once(child, "message")) as [{ port: number }];
  return { child, port: message.port };
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: turnSeconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered with ${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
