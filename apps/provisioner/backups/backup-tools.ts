/** What is needed to make and restore backups. */
import type { BackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import type { HeldWorkspace } from "#domain/workspaces/observed/observation-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";
import type { BackupSlots } from "./backup-slots.ts";
import type { ArchiveLimits } from "./archive/filter-archive.ts";
import type { inspectFiles } from "./archive/inspect-files.ts";

export interface BackupTools {
  db: Database;
  engine: Engine;
  driver: Driver;
  storage: BackupStorage;
  keys: BackupKeys;
  slots: BackupSlots;
  /** Wakes a workspace whose tool must run; absent if workspaces never sleep. */
  wake?(workspaceId: string): Promise<void>;
  clock: Clock;
  /** This machine's clock, which the sandbox does not move; the system's by default. */
  machineClock?: Clock;
  log: Log;
  tracer?: Tracer | null;
  /** The host of these workspaces; `main` by default. */
  host?: string | undefined;
  /** Where backups are opened for inspection; other users must be able to pass through the folders above it. */
  stagingDir: string;
  /** How long the last backup of a deleted workspace is kept. */
  lastBackupDays: number;
  /** Megabytes that stay free on the disk of `stagingDir`; 512 by default. */
  stagingFloorMb?: number;
  limits?: ArchiveLimits;
  /** Inspects an opened backup like `inspectFiles`; replaced in tests that make hundreds of copies. */
  inspect?: typeof inspectFiles;
}

/** What a backup needs to know about its workspace. */
export type BackupWorkspace = Pick<
  HeldWorkspace,
  "id" | "number" | "accountId" | "accountName" | "engine" | "observedVersion" | "desiredVersion" | "generation"
>;

/** The first file of each archive. */
export const manifestName = "slipway-backup.json";
