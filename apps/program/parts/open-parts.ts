/** What the roles of a process share: database, clock, secrets, engine, billing and backup storage. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Pool, PoolConfig } from "pg";
import type { Billing } from "#domain/billing/billing.ts";
import { createBackupStorage } from "#domain/backups/storage/create-backup-storage.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { noteSecretKey } from "#domain/secret-rotation/note-secret-key.ts";
import { systemClock, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { createNotifications, type Notifications } from "#platform/postgres/listen.ts";
import type { HeldLock } from "#platform/postgres/server/data-folder-lock.ts";
import { createRounds, type Rounds } from "#platform/loops/rounds.ts";
import { createSecrets, type Secrets } from "#platform/secrets.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import { createEngine } from "../choices/create-engine.ts";
import type { Ending } from "../ending.ts";
import { createMetrics, type Metrics } from "../metrics/create-metrics.ts";
import type { Config } from "../settings/config.ts";
import { openBilling } from "./open-billing.ts";
import { openData } from "./open-data.ts";
import { openMovableClock, type SandboxParts } from "./payment-sandbox.ts";

export interface Parts {
  config: Config;
  log: Log;
  db: Database;
  /** The connections behind `db`. */
  pool: Pool;
  /** Null without METRICS_PORT. */
  metrics: Metrics | null;
  /** Null without OTEL_EXPORTER_OTLP_ENDPOINT. */
  tracer: Tracer | null;
  /** For a separate session, outside the pool. */
  connection: PoolConfig;
  /** In one session for all parts of this process. */
  notifications: Notifications;
  /** The lock on the data folder; null if this process writes nothing there. */
  folder: HeldLock | null;
  clock: Clock;
  secrets: Secrets;
  engine: Engine;
  backupStorage: BackupStorage;
  billing: Billing;
  rounds: Rounds;
  /** Whether no other process of the service is connected to the database. */
  isOnlyProgram(): Promise<boolean>;
  /** Null in production and with a real payment provider. */
  sandbox: SandboxParts | null;
  /** Called when the service's clock was moved. Every loop of this process adds a function that wakes it. */
  wakers: (() => void)[];
}

/** Throws StartTrouble. Everything it opens is closed by `ending`. */
export async function openParts(config: Config, log: Log, ending: Ending, stopped?: AbortSignal): Promise<Parts> {
  const data = await openData(config, log, stopped);
  ending.add(() => data.close());
  if (data.folder) endWhenLost(data.folder, "the data folder", log);
  const { db, pool } = data.database;
  const movable = await openMovableClock(config, db);
  const clock = movable ?? systemClock;
  const secrets = createSecrets(config.secretKey, config.previousSecretKey);
  await noteSecretKey(db, secrets);
  const wakers: (() => void)[] = [];
  const metrics = config.metrics && createMetrics();
  const tracer = await openTracer(config, log, ending);
  return {
    config,
    log,
    db,
    pool,
    metrics,
    tracer,
    connection: data.connection,
    notifications: createNotifications({ connection: data.connection, log }),
    folder: data.folder,
    clock,
    secrets,
    // Workspaces use the machine's time, even when the service's clock was moved.
    engine: createEngine(config, secrets, systemClock),
    backupStorage: await createBackupStorage(config.backupsUrl, join(config.dataDir, "backups")),
    billing: openBilling(config, { db, clock, secrets, log, tracer, onEvent: metrics?.billingEvent }),
    rounds: createRounds(),
    isOnlyProgram: data.isOnlyProgram,
    sandbox: movable && { config, db, clock: movable, secrets, log, wake: () => wakers.forEach((wake) => wake()) },
    wakers,
  };
}

/** Another program works with it now, so this one must not: it ends immediately, whatever it serves. */
export function endWhenLost(lock: HeldLock, what: string, log: Log): void {
  void lock.lost.then((reason) => {
    log.fatal(`the lock on ${what} was lost: ${reason}`);
    process.exit(1);
  });
}

/** The exporter of traces is imported only if they are exported. */
async function openTracer({ traces, roles, production }: Config, log: Log, ending: Ending): Promise<Tracer | null> {
  if (!traces) return null;
  const { createOtlpTracer } = await import("#platform/tracing/otlp-tracer.ts");
  const tracer = createOtlpTracer(
    traces,
    {
      "service.instance.id": `${hostname()}:${process.pid}`,
      "deployment.environment.name": production ? "production" : "development",
      "slipway.roles": [...roles].join(","),
    },
    log,
  );
  ending.add(() => tracer.close());
  return tracer;
}
