/** One program with its database and a few customers, in which rounds happen one after the other. */
import { join } from "node:path";
import { prepareSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { endEverything } from "#testing/program/slipway-folder.ts";
import { writePlans } from "#testing/payments/write-plans.ts";
import { waitFor } from "#testing/wait-for.ts";
import { createProcessDriver } from "#apps/provisioner/drivers/process/create-process-driver.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import type { Driver } from "#apps/provisioner/drivers/driver.ts";
import { engineHands, type ChaosEngine, type Hands } from "./engines/engine-hands.ts";
import { openFarSide, type FarSide } from "./harm/far-side.ts";
import { hasOwnHost, mountOwnDisk } from "./harm/own-host.ts";
import { openRows, type Rows } from "./checks/rows.ts";
import { supervise, type Supervisor } from "./harm/supervisor.ts";
import { newTenant, type Tenant } from "./tenant.ts";

export interface Lane extends AsyncDisposable {
  slipway: Slipway;
  supervisor: Supervisor;
  rows: Rows;
  hands: Hands;
  tenants: Tenant[];
  /** Looks at the program's workspaces as another worker of this host would. */
  driver: Pick<Driver, "observe">;
  /** Whether its workspaces fall asleep. */
  sleeps: boolean;
  /** Set if the database and the bucket are separate from the program. */
  far: FarSide | undefined;
  /** Whether the data folder is on a separate disk, which may be filled. */
  hasOwnDisk: boolean;
  /** Registers one more customer, without a workspace yet. */
  join(): Promise<Tenant>;
}

/** Some workspaces are idle while another one is disturbed: they must survive the same faults. */
const firstTenants = 2;

export interface LaneOptions {
  engine: ChaosEngine;
  name: string;
  /** For the customers' first workspaces. */
  onlineTimeoutMs?: number;
  /** Puts the database and the bucket behind lines that can be cut. */
  apart?: boolean;
}

/** Starts the program as `npm start` does, on its own data folder and port, with two workspaces online. */
export async function openLane({ engine, name, onlineTimeoutMs = 120_000, apart = false }: LaneOptions): Promise<Lane> {
  const far = apart ? await openFarSide() : undefined;
  const hands = engineHands[engine];
  const sleep = hands.sleeps ? sleepSettings : { WORKSPACE_SLEEP: "off" };
  const env: Record<string, string> = { CALLS_PER_MINUTE: "1000000", HOST_DISK_FLOOR_MB: "512", ...sleep, ...far?.env };
  const slipway = await prepareSlipway({ engine, env });
  const unmount = hasOwnHost() ? mountOwnDisk(slipway.dataDir) : undefined;
  const close = async (): Promise<void> => {
    await slipway.kill9();
    if (unmount) {
      await endEverything(slipway.dataDir);
      unmount();
    }
    await slipway.close();
    await far?.[Symbol.asyncDispose]();
  };
  env["PLANS_FILE"] = writePlans(slipway.dataDir, { monthlyExecutionsLimit: -1, sleepAfterMinutes, stopAfterMinutes });
  try {
    await slipway.start();
    const driver = createProcessDriver({
      workspacesDir: join(slipway.dataDir, "workspaces"),
      places: { enginesDir: slipway.enginesDir, nodeBinary: process.execPath },
      log: createLog("silent"),
      clock: systemClock,
    });
    const lane: Lane = {
      slipway,
      hands,
      driver,
      sleeps: hands.sleeps && driver.freeze !== undefined,
      supervisor: supervise(slipway),
      rows: openRows(slipway.dataDir, far?.connection),
      tenants: [],
      far,
      hasOwnDisk: unmount !== undefined,
      async join() {
        const customer = await slipway.register({ accountName: `${name}-${lane.tenants.length + 1}` });
        await slipway.confirm(customer);
        const tenant = { ...newTenant(customer), exists: false };
        lane.tenants.push(tenant);
        return tenant;
      },
      async [Symbol.asyncDispose]() {
        await lane.supervisor.stop();
        await close();
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
    await close();
    throw error;
  }
}

/** The host's swap, if it has none: what a few small workspaces need. */
const sleepSettings = { WORKSPACE_ZRAM_MB: "1024" };

/** The shortest time that a plan can name. */
export const sleepAfterMinutes = 5;

/** Longer than a round that began with frozen ones. */
export const stopAfterMinutes = 70;

/** Retries `attempt`, since the program may be starting, and returns its result. */
export const persist = <Value>(attempt: () => Promise<Value>, timeoutMs: number): Promise<Value> =>
  waitFor(attempt, { timeout: timeoutMs, interval: 100 });
