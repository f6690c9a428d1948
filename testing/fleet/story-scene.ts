/** One workspace, its owner and the workers that die on it, for the test of random histories. */
import { eq } from "drizzle-orm";
import type { BackupTools } from "#apps/provisioner/backups/backup-tools.ts";
import { createBackups } from "#apps/provisioner/backups/create-backups.ts";
import { plainEntries, usualLimits } from "#apps/provisioner/backups/archive/filter-archive.ts";
import { openBackup } from "#apps/provisioner/backups/open-backup.ts";
import { storedBackup } from "#domain/backups/stored-backup.ts";
import { workOnBackup } from "#apps/provisioner/backups/work-on-backup.ts";
import { createEngineInstalls } from "#apps/provisioner/engine-installs.ts";
import { reconcileWorkspace } from "#apps/provisioner/reconcile/reconcile-workspace.ts";
import type { Reconciler } from "#apps/provisioner/reconcile/step.ts";
import { backups, restores, workspaceUpdates } from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import type { CurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import type { Services } from "#domain/journeys/services.ts";
import { claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createMortal, mortalTools, type Mortal } from "./mortal-process.ts";
import type { TestFleet } from "./test-fleet.ts";

/** Each has migrations that the previous one lacks. */
export const versions = ["2.0.0", "2.1.0", "2.2.0"] as const;
const schemaFile = "things/schema.txt";
export const contentFile = "things/flows.json";

export interface StoryScene {
  id: string;
  accountId: string;
  accountName: string;
  /** Things that must never happen and did. */
  violations: string[];
  /** Versions that migrate the files and then die. */
  broken: Set<string>;
  services: Services;
  current(): Promise<CurrentUser>;
  row(): ReturnType<TestFleet["row"]>;
  /** One pass of a worker that dies after a number of steps. */
  pass(lifetime?: number, diesBefore?: boolean): Promise<void>;
  /** The same, of a given process. `sleeps`: idle workspaces fall asleep. */
  passAs(process: Mortal, sleeps?: boolean): Promise<void>;
  /** Makes the due backups, by a worker that dies in the same way. */
  makeBackups(lifetime?: number, diesBefore?: boolean): Promise<void>;
  makeBackupsAs(process: Mortal): Promise<void>;
  /** The tools of a given process, on a host whose engine does to its files what an engine does. */
  toolsOf(process: Mortal): BackupTools;
  /** Versions and contents of all successful backups. */
  readBackups(): Promise<{ row: BackupRow; schema: string | undefined; content: string | undefined }[]>;
  openRows(): Promise<{ updates: (typeof workspaceUpdates.$inferSelect)[]; restores: (typeof restores.$inferSelect)[] }>;
}

/** `workspaceId`: requested already; otherwise a new account requests one. */
export async function createStoryScene(fleet: TestFleet, accountName: string, workspaceId?: string): Promise<StoryScene> {
  const {
    database: { db, pool },
    world,
  } = fleet;
  const id = workspaceId ?? (await fleet.want(accountName));
  const { accountId } = await fleet.row(id);
  const person = (await db.query.users.findFirst({ where: (users, { eq: is }) => is(users.accountId, accountId) }))!;
  const log = createLog("silent");
  const broken = new Set<string>();
  const violations: string[] = [];

  // What an engine does to its files, and what must never be requested of it.
  const { driver } = fleet.backupTools;
  const engineAtFiles: typeof driver = {
    ...driver,
    async ensure(spec) {
      const before = world.workspaces.get(spec.workspaceId)?.run?.instance;
      const seen = await driver.ensure(spec);
      const workspace = world.workspaces.get(spec.workspaceId);
      if (!workspace?.run || workspace.run.instance === before) return seen;
      const version = spec.command[1]!;
      const schema = workspace.storage.get(schemaFile);
      if (schema && isNewer(schema, version)) violations.push(`${version} ran over a database of ${schema}`);
      if (!schema || isNewer(version, schema)) workspace.storage.set(schemaFile, version);
      if (!schema) workspace.storage.set(contentFile, `made in life ${(await fleet.row(spec.workspaceId)).life}`);
      if (broken.has(version)) world.crash(spec.workspaceId);
      return driver.observe(spec.workspaceId);
    },
  };
  const inspect = () => Promise.resolve({ workflows: 0, credentials: 0, executions: 0 });
  const tools = { ...fleet.backupTools, driver: engineAtFiles, inspect };
  const giveUpLeases = async () => {
    await pool.query("update workspaces set lease_owner = null, lease_until = null where id = $1", [id]);
    await pool.query("update backups set lease_until = '2000-01-01' where workspace_id = $1 and state = 'running'", [id]);
  };

  const toolsOf = (mortal: Mortal): BackupTools => mortalTools(tools, pool, mortal);
  async function passAs(mortal: Mortal, sleeps = false): Promise<void> {
    const own = toolsOf(mortal);
    const worker = newId();
    const reconciler: Reconciler = {
      engine: fleet.engine,
      driver: own.driver,
      installs: createEngineInstalls({ db: own.db, engine: fleet.engine, clock: systemClock, log }),
      backups: createBackups(own),
      clock: systemClock,
      machineClock: systemClock,
      log,
      publicUrl: "http://localhost:3000",
      isHostBusy: () => false,
      sleeps,
      pagesOut: false,
      lastBackupDays: 30,
      readyTimeoutMs: 20_000,
      openSecrets: () => ({}),
      probeThroughGateway: () => Promise.resolve(true),
    };
    const place = {
      slot: { outside: <T>(wait: () => Promise<T>) => wait() },
      boot: { begin: () => Promise.resolve(), end: () => undefined },
    };
    await claimWorkspace(db, id, worker);
    await reconcileWorkspace(own.db, reconciler, id, worker, place).catch((error: unknown) => {
      if (!mortal.isDead()) throw error;
    });
    await giveUpLeases();
  }
  async function makeBackupsAs(mortal: Mortal): Promise<void> {
    const worker = newId();
    await pool.query("update backups set due_at = now() where workspace_id = $1 and due_at is not null", [id]);
    const due = (await claimBackups(db, worker, new Date(), 100)).filter((row) => row.workspaceId === id);
    for (const row of due) await workOnBackup(toolsOf(mortal), row, worker).catch(() => undefined);
    await giveUpLeases();
  }

  return {
    id,
    accountId,
    accountName,
    violations,
    broken,
    services: {
      db,
      clock: systemClock,
      instanceOperations: true,
      publicUrl: "http://localhost:3000",
      workspace: {
        version: "2.0.0",
        releases: versions.map((version, index) => ({ version, releasedAt: "2026-01-01", channel: "stable", migrations: index })),
      },
    } as unknown as Services,
    current: async () =>
      ({
        userId: person.id,
        accountId,
        accountName,
        fullName: "Ada",
        email: person.email,
        openedBy: "password",
        planSpec: null,
        subscription: null,
        workspace: await fleet.row(id),
      }) as unknown as CurrentUser,
    row: () => fleet.row(id),
    pass: (lifetime = Infinity, diesBefore = false) => passAs(createMortal(lifetime, diesBefore)),
    passAs,
    makeBackups: (lifetime = Infinity, diesBefore = false) => makeBackupsAs(createMortal(lifetime, diesBefore)),
    makeBackupsAs,
    toolsOf,
    async readBackups() {
      const rows = await db.select().from(backups).where(eq(backups.workspaceId, id));
      return Promise.all(
        rows
          .filter(({ state }) => state === "successful")
          .map(async (row) => {
            const files = new Map<string, string>();
            for await (const { name, header, content } of plainEntries(
              await openBackup(tools, storedBackup(row)),
              (each) => each,
              usualLimits,
            )) {
              if (header.type !== "file") continue;
              const parts: Buffer[] = [];
              for await (const part of content) parts.push(part);
              files.set(name, Buffer.concat(parts).toString());
            }
            return { row, schema: files.get(schemaFile), content: files.get(contentFile) };
          }),
      );
    },
    async openRows() {
      const updates = await db.select().from(workspaceUpdates).where(eq(workspaceUpdates.workspaceId, id));
      const wishes = await db.select().from(restores).where(eq(restores.workspaceId, id));
      return { updates: updates.filter(({ finishedAt }) => !finishedAt), restores: wishes.filter(({ finishedAt }) => !finishedAt) };
    },
  };
}
