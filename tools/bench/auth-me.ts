/** Measures GET /api/auth/me against a bare route of the same framework that runs one query, on the same database. */
import { fork, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { Client, type ClientConfig } from "pg";
import type { BenchRow } from "./bench-row.ts";
import type { Panel } from "./panel/start-panel.ts";

const turns = 7;
const turnSeconds = 1;
const connections = 16;

/** The two take turns, so that other load on the machine affects both alike. */
export async function benchAuthMe(panel: Panel): Promise<BenchRow> {
  const connection = await connectionOf(panel);
  const bare = await startBare(panel, connection);
  const tokens = await openSessions(panel, connection);
  try {
    const ratios: number[] = [];
    const reached = { panel: [] as number[], bare: [] as number[] };
    for (let turn = 0; turn <= turns; turn += 1) {
      const ours = await requestsPerSecond(`http://127.0.0.1:${panel.port}/api/auth/me`, (client) => ({
        host: `localhost:${panel.port}`,
        authorization: `Bearer ${tokens[client]}`,
      }));
      const theirs = await requestsPerSecond(`http://127.0.0.1:${bare.port}/me`, () => ({}));
      // The first turn only warms up.
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

async function connectionOf(panel: Panel): Promise<ClientConfig> {
  const password = await readFile(join(panel.dataDir, "postgres", "password"), "utf8");
  return { host: join(panel.dataDir, "run"), port: 5432, user: "slipway", password, database: "slipway" };
}

/** One session for each connection, as for different users: simultaneous look-ups of the same session are shared. */
async function openSessions(panel: Panel, connection: ClientConfig): Promise<string[]> {
  const tokens = Array.from({ length: connections }, (_, client) => `${panel.token}-${client}`);
  const client = new Client(connection);
  await client.connect();
  const copy =
    "insert into sessions select (jsonb_populate_record(sessions, jsonb_build_object('token_hash', $1::text, 'id', gen_random_uuid()))).* from sessions where token_hash = $2";
  for (const token of tokens) await client.query(copy, [hash(token), hash(panel.token)]);
  await client.end();
  return tokens;
}

const hash = (token: string): string => createHash("sha256").update(token).digest("hex");

async function startBare(panel: Panel, connection: ClientConfig): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL("panel/bare-api-server.ts", import.meta.url)), [JSON.stringify(connection), hash(panel.token)]);
  const [message] = (await once(child, "message")) as [{ port: number }];
  return { child, port: message.port };
}

/** `headersOf` returns the headers of each connection, counted from 0. */
async function requestsPerSecond(url: string, headersOf: (client: number) => Record<string, string>): Promise<number> {
  let client = 0;
  const result = await autocannon({ url, connections, duration: turnSeconds, setupClient: (made) => made.setHeaders(headersOf(client++)) });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered with ${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
