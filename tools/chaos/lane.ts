/** One program with its database and a few customers, in which one round after the other happens. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { enginesCacheDir } from "#testing/engines-cache.ts";
import { prepareSlipway, type Slipway } from "#testing/start-slipway.ts";
import { waitFor } from "#testing/wait-for.ts";
import { engineHands, type ChaosEngine, type Hands } from "./engine-hands.ts";
import { openRows, type Rows } from "./rows.ts";
import { supervise, type Supervisor } from "./supervisor.ts";
import { newTenant, type Tenant } from "./tenant.ts";

export interface Lane extends AsyncDisposable {
  slipway: Slipway;
  supervisor: Supervisor;
  rows: Rows;
  hands: Hands;
  tenants: Tenant[];
  /** Registers one more customer; they have no workspace yet. */
  join(): Promise<Tenant>;
}

/** Some workspaces rest while another one is disturbed: they must come through the same faults. */
const firstTenants = 2;

export interface LaneOptions {
  engine: ChaosEngine;
  name: string;
  /** Of the waits for one's first workspace. */
  onlineTimeoutMs?: number;
}

/** Starts the program as `npm start` does, on a data folder and a port of its own, with two workspaces online. */
export async function openLane({ engine, name, onlineTimeoutMs = 120_000 }: LaneOptions): Promise<Lane> {
  const env: Record<string, string> = { CALLS_PER_MINUTE: "1000000" };
  const slipway = await prepareSlipway({ engine, env });
  env["PLANS_FILE"] = writePlans(slipway.dataDir);
  try {
    if (engine === "node-red") env["ENGINES_DIR"] = copyEngines(slipway.dataDir);
    await slipway.start();
    const hands = engineHands[engine];
    const lane: Lane = {
      slipway, hands, supervisor: supervise(slipway), rows: openRows(slipway.dataDir), tenants: [],
      async join() {
        const customer = await slipway.register({ accountName: `${name}-${lane.tenants.length + 1}` });
        await slipway.confirm(customer);
        const tenant = { ...newTenant(customer), exists: false };
        lane.tenants.push(tenant);
        return tenant;
      },
      async [Symbol.asyncDispose]() {
        await lane.supervisor.stop();
        await slipway.close();
      },
    };
    for (let count = 0; count < firstTenants; count += 1) {
      const tenant = await lane.join();
      await slipway.setUp(tenant.customer);
      tenant.exists = true;
      await slipway.until(tenant.customer, ({ status }) => status === 1, onlineTimeoutMs);
    }
    return lane;
  } catch (error) {
    await slipway.close();
    throw error;
  }
}

/**
 * Workspaces run as users of their own, who cannot enter the home in which tests keep engines: without a copy they would run as the
 * control plane's user, which no operator does. Of an n8n there is too much to copy; let SLIPWAY_ENGINES_CACHE name an open folder.
 */
function copyEngines(dataDir: string): string {
  const folder = join(dirname(dataDir), "engines");
  mkdirSync(folder, { mode: 0o755 });
  for (const name of readdirSync(enginesCacheDir).filter((each) => /^node-red-[\d.]+$/.test(each))) execFileSync("cp", ["-a", join(enginesCacheDir, name), folder]);
  return folder;
}

/** As they come with the program, but that a trial may run as often as this needs. */
function writePlans(folder: string): string {
  const plans = JSON.parse(readFileSync(new URL("../../domain/plans/plans.json", import.meta.url), "utf8")) as { specs: { id: string; monthlyExecutionsLimit: number }[] };
  for (const spec of plans.specs) spec.monthlyExecutionsLimit = -1;
  const file = join(folder, "plans.json");
  writeFileSync(file, JSON.stringify(plans));
  return file;
}

/** What `attempt` resolves with, as soon as the program, which may be starting, lets it. */
export const persist = <Value>(attempt: () => Promise<Value>, timeoutMs: number): Promise<Value> => waitFor(attempt, { timeout: timeoutMs, interval: 100 });
