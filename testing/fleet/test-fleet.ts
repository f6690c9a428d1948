/** Workspaces without processes: the real reconcile loop, database and gateway over the memory driver and a small engine. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackupSlots } from "#apps/provisioner/backups/backup-slots.ts";
import type { BackupTools } from "#apps/provisioner/backups/backup-tools.ts";
import { createBackups } from "#apps/provisioner/backups/create-backups.ts";
import type { RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { MemoryWorld } from "#apps/provisioner/drivers/memory/memory-world.ts";
import { createEngineInstalls } from "#apps/provisioner/engine-installs.ts";
import type { Engine, EngineRest, EngineWorkspace } from "#apps/provisioner/engines/engine.ts";
import { ownVariables } from "#apps/provisioner/engines/own-variables.ts";
import { n8nSleepingCalls } from "#apps/provisioner/engines/n8n/n8n-sleeping-calls.ts";
import type { EngineBackups } from "#apps/provisioner/engines/port/engine-copies.ts";
import type { EngineOwner, EngineProfile } from "#apps/provisioner/engines/port/engine-people.ts";
import type { EnginePlan, EngineRequest, EngineUsage } from "#apps/provisioner/engines/port/engine-usage.ts";
import { startReconcileLoop, type ReconcileLoop } from "#apps/provisioner/reconcile/reconcile-loop.ts";
import type { Reconciler } from "#apps/provisioner/reconcile/step.ts";
import { createGateway } from "#apps/gateway/create-gateway.ts";
import { probeThroughGateway } from "#apps/program/front-door/probe-workspace.ts";
import { createRefuseCall } from "#apps/program/roles/refuse-call.ts";
import { gatewayRoute } from "#apps/program/roles/start-gateway.ts";
import { lastBackupDays } from "#contract/billing/plans/plan-days.ts";
import { accounts, users, workspaceJournal, workspaces } from "#database/tables.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { createSecrets } from "#platform/secrets.ts";
import { readVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { prepareSleepingCallLookup } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { requestWorkspace } from "#domain/workspaces/desired/request-workspace.ts";
import { prepareRouteLookup, workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { after, hourMs, minuteMs, systemClock, type Clock } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { createLog } from "#platform/log.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import { asc, eq } from "drizzle-orm";
import { vi } from "vitest";
import { createTestMembers, type TestMembers } from "../accounts/test-members.ts";
import { createTestDatabase, type TestDatabase } from "../postgres.ts";

interface TestEngine extends Engine {
  /** Owners made, by workspace. */
  owners: Map<string, number>;
  installed: Set<string>;
  /** Rejects the next installs with this. */
  installFails: Error | null;
  members: TestMembers;
  /** What each workspace was told about its owner, oldest first. */
  profiles: Map<string, EngineProfile[]>;
  /** The names of the variables that each workspace was given while it ran. */
  variables: Map<string, string[][]>;
  /** Rejects the next variables with this; `too old`: the process cannot take any. */
  variablesFail: Error | "too old" | null;
  /** Rejects the next profiles with this. */
  profileFails: Error | null;
  /** The plans sent to each workspace, oldest first. */
  plans: Map<string, EnginePlan[]>;
  /** The usage that each workspace reports; none without an entry. */
  /** By workspace: requests of its editor that are not done. */
  requests: Map<string, readonly EngineRequest[]>;
  usage: Map<string, Pick<EngineUsage, "counters"> & Partial<Pick<EngineUsage, "statistics">>>;
  /** Rejects the next calls for usage with this. */
  usageFails: Error | null;
  /** The owner's details sent to each workspace later, oldest first. */
  ownerChanges: Map<string, EngineOwner[]>;
  /** Rejects the next changes of owners with this. */
  ownerFails: Error | null;
  /** What workspaces report about sleep, by id; without an entry, they may sleep. */
  rests: Map<string, EngineRest>;
  /** How many executions run, by workspace; without an entry, none. */
  running: Map<string, number>;
  /** The new owner of each blank, by email address. */
  claims: Map<string, string>;
  /** Rejects the next claims with this. */
  claimFails: Error | null;
}

export interface TestFleet extends AsyncDisposable {
  database: TestDatabase;
  world: MemoryWorld;
  engine: TestEngine;
  /** Stores backups in a separate folder. */
  backupTools: BackupTools;
  /** What the next worker gets. */
  reconciler(changes?: Partial<Reconciler>): Reconciler;
  /** One more worker over the same fleet. */
  startLoop(changes?: Partial<Reconciler>): ReconcileLoop;
  /** Creates an account whose owner requests a workspace; returns the workspace's id. `also` runs in the transaction of the request. */
  want(accountName: string, also?: (tx: Connection, accountId: string) => Promise<unknown>): Promise<string>;
  /** The gateway's, on 127.0.0.1. */
  port: number;
  row(id: string): Promise<WorkspaceRow>;
  /** Events of the journal, oldest first. */
  journal(id: string): Promise<string[]>;
  /** Waits until the row matches. */
  until(id: string, fits: (row: WorkspaceRow) => boolean): Promise<WorkspaceRow>;
  /** Status code of a visitor's request to the workspace. */
  visit(accountName: string): Promise<boolean>;
  /** A visitor's request to a path of the workspace, through the gateway. */
  call(accountName: string, path?: string, headers?: Record<string, string>): Promise<{ status: number; body: string }>;
  /** Status of the answer to a WebSocket handshake, through the gateway. */
  upgrade(accountName: string): Promise<{ status: number }>;
  /** Makes the workspace unused for two hours, or the given time, and a pass due. */
  leaveAlone(id: string, forMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Only a wait that never ends takes this long: fifty launches together take half a minute on a busy machine. */
const mostWaitMs = 120_000;

export interface TestFleetOptions {
  startDelayMs?: number;
  installed?: boolean;
  /** Closed by its owner; a separate one by default. */
  database?: TestDatabase;
  sleeps?: boolean;
  /** The host's clock, for workers and the gateway; the real one by default. The database keeps its own. */
  clock?: Clock;
  /** Of workers and the gateway. */
  tracer?: Tracer;
}

export async function createTestFleet(options: TestFleetOptions = {}): Promise<TestFleet> {
  const { clock = systemClock } = options;
  const database = options.database ?? (await createTestDatabase());
  const world = new MemoryWorld(systemClock);
  const engine = createTestEngine(options.installed ?? true);
  const log = createLog("silent");
  const driver = createMemoryDriver({ world, clock: systemClock, listen: true, startDelayMs: options.startDelayMs ?? 0 });
  const folder = await mkdtemp(join(tmpdir(), "slipway-fleet-"));
  await chmod(folder, 0o711);
  const keys = createBackupKeys(createSecrets("a key for tests, long enough to be one"));
  const backupTools: BackupTools = {
    db: database.db,
    engine,
    driver,
    storage: createFolderStorage(join(folder, "backups")),
    keys,
    slots: createBackupSlots(),
    clock: systemClock,
    log,
    stagingDir: join(folder, "staging"),
    lastBackupDays,
  };
  const lookUp = prepareRouteLookup(database.db);
  /** What the gateway asks of the database at this moment. */
  const asking = new Set<Promise<unknown>>();
  const asked = <T>(answer: Promise<T>): Promise<T> => {
    asking.add(answer);
    return answer.finally(() => asking.delete(answer));
  };
  const gateway = createGateway({
    lookUp: (name) => asked(lookUp(name).then((facts) => facts && gatewayRoute(facts))),
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: "",
    log,
    clock: systemClock,
    tracer: options.tracer ?? null,
    sleep: {
      ...engine.sleep!,
      record: (ids) => asked(recordUse(database.db, ids, clock.now())),
      refuseCall: createRefuseCall(engine.sleep!.calls!, prepareSleepingCallLookup(database.db)),
    },
  });
  const server = await listenAnywhere((accountName, req, res) => gateway.handleRequest(req, res, accountName));
  server.on("upgrade", (req, socket, head) => gateway.handleUpgrade(req, socket, head, (req.headers.host ?? "").split(".")[0]!));
  const port = (server.address() as AddressInfo).port;
  const visit = (accountName: string) => probeThroughGateway({ host: "127.0.0.1", port }, `${accountName}.localhost`, "/health");
  const loops: ReconcileLoop[] = [];
  const listener = await createNotifications({ connection: database.connection, log }).listen({
    channels: [workspaceChanged],
    onNotify: (_channel, payload) => {
      gateway.invalidate(payload.split(" ")[1] ?? "");
      loops.forEach((loop) => loop.wake());
    },
    onReconnect: () => gateway.invalidateAll(),
  });
  const unwatch = world.listen((id) => loops[0]?.noticeExit(id));

  const fleet: TestFleet = {
    database,
    world,
    engine,
    backupTools,
    port,
    reconciler(changes = {}) {
      const installs = createEngineInstalls({ db: database.db, engine, clock: systemClock, log });
      return {
        engine,
        driver,
        installs,
        backups: createBackups(backupTools),
        clock,
        machineClock: clock,
        log,
        publicUrl: "http://localhost:3000",
        isHostBusy: () => false,
        tracer: options.tracer ?? null,
        sleeps: options.sleeps ?? false,
        pagesOut: options.sleeps ?? false,
        lastBackupDays,
        readyTimeoutMs: engine.start.readyTimeoutMs,
        openSecrets: (sealed) => (sealed === "-" ? {} : (JSON.parse(sealed) as Record<string, string>)),
        probeThroughGateway: visit,
        ...changes,
      };
    },
    startLoop(changes) {
      const loop = startReconcileLoop(database.db, fleet.reconciler(changes));
      loops.push(loop);
      return loop;
    },
    async want(accountName, also) {
      const now = new Date();
      const accountId = newId();
      await database.db.insert(accounts).values({ id: accountId, name: accountName, setUpAt: now, createdAt: now });
      await database.db.insert(users).values({
        id: newId(),
        accountId,
        email: `${accountName}@example.com`,
        fullName: "Ada Lovelace",
        passwordHash: "-",
        confirmedAt: now,
        createdAt: now,
      });
      const wanted = { accountId, engine: "n8n", version: "2.0.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" } as const;
      // As in the service: no worker may take the row before it has its blank's id.
      await database.db.transaction(async (tx) => {
        await also?.(tx, accountId);
        await requestWorkspace(tx, accountName, wanted, now);
      });
      const [row] = await database.db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.accountId, accountId));
      return row!.id;
    },
    async row(id) {
      const [row] = await database.db.select().from(workspaces).where(eq(workspaces.id, id));
      return row!;
    },
    async journal(id) {
      const lines = await database.db
        .select({ event: workspaceJournal.event })
        .from(workspaceJournal)
        .where(eq(workspaceJournal.workspaceId, id))
        .orderBy(asc(workspaceJournal.id));
      return lines.map((line) => line.event);
    },
    until: (id, fits) =>
      vi.waitFor(
        async () => {
          const row = await fleet.row(id);
          if (!fits(row)) throw new Error(`not yet: ${JSON.stringify(row)}`);
          return row;
        },
        { timeout: mostWaitMs, interval: 25 },
      ),
    visit,
    call: (accountName, path = "/webhook", headers = {}) =>
      new Promise((resolve, reject) => {
        const all = { ...headers, host: `${accountName}.localhost` };
        const req = request({ host: "127.0.0.1", port, path, headers: all, agent: false }, (answer) => {
          text(answer).then((body) => resolve({ status: answer.statusCode!, body }), reject);
        });
        req.on("error", reject);
        req.end();
      }),
    upgrade: (accountName) =>
      new Promise((resolve, reject) => {
        const headers = {
          host: `${accountName}.localhost`,
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "c2xpcHdheQ==",
        };
        const req = request({ host: "127.0.0.1", port, path: "/socket", headers, agent: false }, (answer) => {
          resolve({ status: answer.statusCode! });
          answer.destroy();
        });
        req.on("error", reject);
        req.end();
      }),
    async leaveAlone(id, forMs = 2 * hourMs) {
      // A request may be answered before the gateway has recorded its use, or has even checked whether the workspace has fallen asleep.
      while (asking.size > 0) {
        await Promise.allSettled(asking);
        await new Promise(setImmediate);
      }
      // The gateway records a use at most once a minute, so a workspace may have fallen asleep during a request, whose request to wake it
      // is still open when the loop is stopped. The next pass would carry it out, and the workspace would stay awake until the look a
      // minute later.
      const unused = { startedAt: after(new Date(), -forMs), usedAt: null, wakeAskedAt: null };
      await database.db
        .update(workspaces)
        .set({ ...unused, reconcileAt: new Date() })
        .where(eq(workspaces.id, id));
      loops.forEach((loop) => loop.wake());
    },
    async close() {
      unwatch();
      await Promise.all(loops.map((loop) => loop.stop()));
      await listener.close();
      await gateway.close();
      server.closeAllConnections();
      server.close();
      world.close();
      if (!options.database) await database.close();
      await rm(folder, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => fleet.close(),
  };
  return fleet;
}

/** In which this process runs: who asks and who answers are both in it, and an answer may be there when it gets its turn again. */
function halfASecond(): { signal: AbortSignal } & Disposable {
  const aborting = new AbortController();
  let turns = 0;
  const timer = setInterval(() => {
    if ((turns += 1) === 20) aborting.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, 25);
  return { signal: aborting.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

function createTestEngine(installed: boolean): TestEngine {
  const engine: TestEngine = {
    owners: new Map(),
    installed: new Set(installed ? ["2.0.0"] : []),
    installFails: null,
    members: createTestMembers(),
    profiles: new Map(),
    variables: new Map(),
    variablesFail: null,
    profileFails: null,
    plans: new Map(),
    usage: new Map(),
    requests: new Map(),
    usageFails: null,
    ownerChanges: new Map(),
    ownerFails: null,
    rests: new Map(),
    running: new Map(),
    countRunning: (_address, workspaceId) => Promise.resolve(engine.running.get(workspaceId) ?? 0),
    claims: new Map(),
    claimFails: null,
    blanks: {
      unowned: (workspace) => ({ ...workspace, generation: 0, run: true, timezone: "Etc/UTC", publicUrl: "http://blank.invalid" }),
      async claim(address, { id, publicUrl }) {
        if (engine.claimFails) throw engine.claimFails;
        if (!(await engine.health(address)).ready) throw new Error("the blank does not answer");
        if ((engine.claims.get(id) ?? publicUrl) !== publicUrl) throw new Error("the blank has another owner");
        engine.claims.set(id, publicUrl);
      },
    },
    sleep: {
      ask: (_address, workspaceId) => Promise.resolve(engine.rests.get(workspaceId) ?? { sleepable: true, due: null }),
      monitored: /^\/(?:health|monitored)$/,
      absent: /^\/absent$/,
      calls: n8nSleepingCalls,
    },
    name: "n8n",
    displayName: "Test engine",
    releases: [{ engine: "n8n", version: "2.0.0", folder: "/", releasedAt: "2026-01-01", packages: 1, channel: "stable" }],
    healthPath: "/health",
    ownerSettings: [],
    start: { readyTimeoutMs: 20_000, aheadMs: 2 * minuteMs },
    async install(version, onProgress) {
      if (engine.installFails) throw engine.installFails;
      onProgress(50);
      await new Promise((resolve) => setTimeout(resolve, 50));
      engine.installed.add(version);
    },
    isInstalled: (version) => Promise.resolve(engine.installed.has(version)),
    createSecrets: () => ({}),
    runSpec,
    async health(address) {
      using patience = halfASecond();
      const answer = await fetch(`http://${address}/health`, { signal: patience.signal }).catch((error: unknown) => error as Error);
      return answer instanceof Response && answer.ok ? { ready: true } : { ready: false, detail: String(answer) };
    },
    setUpOwner(_address, workspaceId) {
      engine.owners.set(workspaceId, (engine.owners.get(workspaceId) ?? 0) + 1);
      return Promise.resolve();
    },
    setProfile(_address, workspaceId, profile) {
      if (engine.profileFails) return Promise.reject(engine.profileFails);
      engine.profiles.set(workspaceId, [...(engine.profiles.get(workspaceId) ?? []), profile]);
      return Promise.resolve();
    },
    setVariables(_address, { id, secrets }) {
      if (engine.variablesFail === "too old") return Promise.resolve(false);
      if (engine.variablesFail) return Promise.reject(engine.variablesFail);
      engine.variables.set(id, [...(engine.variables.get(id) ?? []), readVariables(secrets).variables.map(({ name }) => name)]);
      return Promise.resolve(true);
    },
    setPlan(_address, workspaceId, plan) {
      engine.plans.set(workspaceId, [...(engine.plans.get(workspaceId) ?? []), plan]);
      return Promise.resolve();
    },
    readUsage(_address, workspaceId) {
      if (engine.usageFails) return Promise.reject(engine.usageFails);
      const plan = engine.plans.get(workspaceId)?.at(-1);
      const counters = engine.usage.get(workspaceId)?.counters ?? [];
      const used = counters.reduce(
        (sum, { epoch, executions }) => sum + Math.max(0, executions - (plan?.counted.epochs[epoch] ?? 0)),
        plan?.counted.executions ?? 0,
      );
      return Promise.resolve({
        plan: plan?.fingerprint ?? null,
        executions: used,
        activeWorkflows: 1,
        counters,
        statistics: engine.usage.get(workspaceId)?.statistics ?? null,
        requests: engine.requests.get(workspaceId) ?? [],
      });
    },
    requestsDone(_address, workspaceId, ids) {
      engine.requests.set(
        workspaceId,
        (engine.requests.get(workspaceId) ?? []).filter(({ id }) => !ids.includes(id)),
      );
      return Promise.resolve();
    },
    updateOwner(_address, workspaceId, owner) {
      if (engine.ownerFails) return Promise.reject(engine.ownerFails);
      engine.ownerChanges.set(workspaceId, [...(engine.ownerChanges.get(workspaceId) ?? []), owner]);
      return Promise.resolve();
    },
    readCatalogue: () => Promise.resolve([]),
    backups: testBackups,
    loginPath: () => "/",
    readLoginCode: () => null,
  };
  return engine;
}

/** Files that a test puts below `things` are backed up; `things/count.json` contains their number, and a copy without it is empty. */
const testBackups: EngineBackups = {
  contents: ["things"],
  remade: [],
  freeze: () => Promise.resolve(new Map()),
  thaw: () => Promise.resolve(),
  inspected: ["things/count.json"],
  inspector: `import { existsSync, readFileSync } from "node:fs";
    const file = process.argv[2] + "/things/count.json";
    console.log(existsSync(file) ? JSON.stringify(JSON.parse(readFileSync(file, "utf8"))) : '{"workflows":0,"credentials":0,"executions":0}');`,
};

function runSpec(workspace: EngineWorkspace, version: string): RunSpec {
  return {
    workspaceId: workspace.id,
    workspaceNumber: workspace.number,
    run: workspace.run,
    generation: workspace.generation,
    command: ["/usr/bin/engine", version],
    env: {
      READY: "{{ready}}",
      TZ: workspace.timezone,
      URL: workspace.publicUrl,
      EXECUTIONS: `${workspace.executions?.keep} for ${workspace.executions?.maxAgeHours ?? 336} hours`,
    },
    files: ownVariables(workspace, []).files,
    ports: ["http"],
    memoryMb: workspace.memoryMb,
    stopTimeoutMs: 1000,
  };
}

async function listenAnywhere(handle: (accountName: string, ...rest: Parameters<RequestListener>) => void): Promise<Server> {
  const server = createServer((req, res) => handle((req.headers.host ?? "").split(".")[0]!, req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
