/** The types that the pool's parts share. */
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";

export interface PoolOptions {
  db: Database;
  engine: Engine;
  driver: Driver;
  clock: Clock;
  log: Log;
  /** The host on which blanks are made; `main` by default. */
  host?: string | undefined;
  /** Whether the host takes no more workspaces, and so needs no blanks. */
  isDraining?(): boolean;
  rounds?: Rounds | undefined;
  /** The maximum number of blanks; 0 keeps none, and deletes existing ones. `auto`: depends on the host's memory. */
  most: number | "auto";
  /** Called with each look: how many blanks there should be on this host now. */
  noteWanted?(blanks: number): void;
  /** Memory of a workspace whose plan does not set it. */
  memoryMb: number;
  /** The panel's address. */
  publicUrl: string;
  /** How long a blank may take until it answers. */
  readyTimeoutMs: number;
  /** How long a blank is left alone before it is frozen, so that it has collected its garbage: `idle-memory.mts` looks every 20 s. */
  restMs?: number;
  /** Memory of the host that is free or can be freed without paging out, in MB. */
  availableMb(): number;
  secrets: {
    /** New ones for the engine, encrypted. */
    make(): string;
    /** Throws if they were encrypted with a key that is gone. */
    open(encrypted: string): Record<string, string>;
  };
}

/** A pool that can make blanks, in one worker. */
export interface Pool extends PoolOptions {
  most: number;
  worker: string;
  blanks: NonNullable<Engine["blanks"]>;
}
