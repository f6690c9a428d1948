/**
 * One worker of the measured fleet, in its own process: the real loops over simulated workspaces, and it creates only those that
 * change. All other workspaces of the fleet count as running already.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { MemoryWorld } from "#apps/provisioner/drivers/memory/memory-world.ts";
import type { Driver } from "#apps/provisioner/drivers/driver.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import type { EnginePlan } from "#apps/provisioner/engines/port/engine-usage.ts";
import { startNoticingExits } from "#apps/provisioner/notice-exits.ts";
import { startReconcileLoop } from "#apps/provisioner/reconcile/reconcile-loop.ts";
import { startBillingLoop } from "#domain/billing/provider-truth/billing-loop.ts";
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { secondMs, systemClock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { createSecrets } from "#platform/secrets.ts";
import { ProviderUnreachable } from "#payments/payment-provider.ts";
import { absentProvider } from "#testing/payments/absent-provider.ts";
import { addressOf, comparedEveryMs, fleetVersion, idOf, type WorkerOptions } from "./fleet-rows.ts";

const { connection, count, hangingProvider } = JSON.parse(process.argv[2]!) as WorkerOptions;
const log = createLog("error");
const database = openDatabase(connection, log, { max: 10 });
const world = new MemoryWorld(systemClock);
const simulated = createMemoryDriver({ world, clock: systemClock });
const everyId = new Set(Array.from({ length: count }, (_, number) => idOf(number)));
const startedAt = new Date();

const driver: Driver = {
  ...simulated,
  ensure: async (spec) => ({ ...(await simulated.ensure(spec)), ...(spec.run && { address: addressOf }) }),
  async observe(id) {
    const seen = await simulated.observe(id);
    if (seen.state === "absent") return { state: "running", generation: 1, address: addressOf, startedAt };
    return seen.state === "running" ? { ...seen, address: addressOf } : seen;
  },
  listRunning: async () => everyId,
};

const plans = new Map<string, EnginePlan>();
const refuse = () => Promise.reject(new Error("not part of the measurement"));
const engine: Engine = {
  name: "n8n",
  displayName: "Measured engine",
  releases: [],
  install: refuse,
  isInstalled: () => Promise.resolve(true),
  createSecrets: () => ({}),
  runSpec: ({ id, number, run, generation, memoryMb }) => ({
    workspaceId: id,
    workspaceNumber: number,
    run,
    generation,
    command: ["/engine"],
    env: {},
    files: [],
    ports: ["http"],
    memoryMb,
    stopTimeoutMs: secondMs,
  }),
  health: () => Promise.resolve({ ready: true }),
  healthPath: "/",
  ownerSettings: [],
  start: { readyTimeoutMs: 60 * secondMs, aheadMs: 60 * secondMs },
  setUpOwner: () => Promise.resolve(),
  setProfile: () => Promise.resolve(),
  setPlan: (_address, id, plan) => Promise.resolve(void plans.set(id, plan)),
  readUsage: (_address, id) => {
    const plan = plans.get(id);
    const { fingerprint = null, counted = { executions: 0 } } = plan ?? {};
    return Promise.resolve({ plan: fingerprint, executions: counted.executions, activeWorkflows: 1, counters: [], statistics: null });
  },
  readCatalogue: () => Promise.resolve([]),
  loginPath: () => "/",
  readLoginCode: () => null,
};

const loop = startReconcileLoop(database.db, {
  engine,
  driver,
  installs: { request: () => Promise.resolve({ state: "installed" }), stop: () => Promise.resolve() },
  backups: { make: refuse, restore: refuse },
  clock: systemClock,
  machineClock: systemClock,
  log,
  publicUrl: "http://localhost:3000",
  isHostBusy: () => false,
  sleeps: false,
  pagesOut: false,
  lastBackupDays: 30,
  readyTimeoutMs: engine.start.readyTimeoutMs,
  openSecrets: () => ({}),
  probeThroughGateway: () => Promise.resolve(true),
});
startNoticingExits({ db: database.db, driver, log, noticeExit: (id) => loop.noticeExit(id) }, comparedEveryMs);
const notifications = createNotifications({ connection, log });
await notifications.listen({ channels: [workspaceChanged], onNotify: () => loop.wake(), onReconnect: () => loop.wake() });
if (hangingProvider) {
  const answer = once(process, "message").then(() => {
    throw new ProviderUnreachable("no answer in time");
  });
  answer.catch(() => undefined);
  const late = () => answer;
  const provider = Object.fromEntries(
    Object.entries(absentProvider).map(([name, value]) => [name, typeof value === "function" ? late : value]),
  );
  await startBillingLoop(
    {
      db: database.db,
      clock: systemClock,
      log: createLog("silent"),
      secrets: createSecrets("a key for measurements, long enough"),
      provider: provider as unknown as typeof absentProvider,
      publicUrl: "http://localhost:3000",
      renderMail: ({ name, email }) => Promise.resolve({ recipient: email, subject: name, text: "", html: "" }),
      settlePayments: () => Promise.resolve(),
      leastNoticeMs: 0,
      lastBackupDays: 30,
    },
    notifications,
  );
}
// Keeps the process alive until it is killed.
createServer().listen(0, "127.0.0.1");
process.send!({ version: fleetVersion });
