/** Where backups and exports are kept. They arrive encrypted: a storage sees sizes and names, but no contents. */
import type { Readable } from "node:stream";

export interface BackupStorage {
  /** For people: a folder or a bucket, without secrets. */
  readonly place: string;
  /**
   * Stores the stream under the name, replacing what was there, completely or not at all. Rejects if the stream breaks or there is no room.
   */
  write(name: string, content: Readable): Promise<void>;
  /** Rejects with StoredNothing if nothing has this name. */
  read(name: string): Promise<Readable>;
  /** Does nothing if nothing has this name. Also removes what a dead writer left, if the storage keeps such parts. */
  remove(name: string): Promise<void>;
  /** The names of what is stored of a kind, in their order. */
  list(kind: string): Promise<string[]>;
  /** Writes, reads and removes a small object; rejects with the problem. */
  check(): Promise<void>;
}

/** Nothing is stored under this name. */
export class StoredNothing extends Error {
  constructor(name: string) {
    super(`nothing is stored as ${name}`);
    this.name = "StoredNothing";
  }
}

const nameShape = /^[a-z]+\/[a-z0-9-]{1,64}$/;

const kindShape = /^[a-z]+$/;

/** Refuses a kind that could lead elsewhere. */
export function checkStoredKind(kind: string): void {
  if (!kindShape.test(kind)) throw new Error(`"${kind}" cannot be a kind of something stored`);
}

/** Whether a name is one that this program gives: what others put there is left alone. */
export const isStoredName = (name: string): boolean => nameShape.test(name);

/** Refuses a name that could lead elsewhere. A name is a kind, a slash and an id. */
export function checkStoredName(name: string): void {
  if (!nameShape.test(name)) throw new Error(`"${name}" cannot be the name of something stored`);
}
