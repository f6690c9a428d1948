/** Where backups and exports are kept. What is given here is encrypted already: a storage sees sizes and names, no contents. */
import type { Readable } from "node:stream";

export interface BackupStorage {
  /** For people: a folder or a bucket, without secrets. */
  readonly place: string;
  /** Stores the stream under the name, in place of what was there: whole, or not at all. Rejects where the stream breaks or there is no room. */
  write(name: string, content: Readable): Promise<void>;
  /** Rejects with StoredNothing where there is nothing of this name. */
  read(name: string): Promise<Readable>;
  /** Nothing there is fine. Takes away what a writer that died left as well, where the place keeps such. */
  remove(name: string): Promise<void>;
  /** Writes, reads and removes a small object; rejects with what is wrong. */
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

/** Refuses a name that could lead elsewhere: a kind, a slash, and an id. */
export function checkStoredName(name: string): void {
  if (!nameShape.test(name)) throw new Error(`"${name}" cannot be the name of something stored`);
}
