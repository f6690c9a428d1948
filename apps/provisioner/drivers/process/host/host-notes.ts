/** Where this host keeps, until its next boot, what all installations on it must know. */
import { chmodSync, mkdirSync } from "node:fs";

/**
 * The folder, created if missing, for root alone: its files are also locks, which any process that can open a file can hold. Throws if the
 * system refuses.
 */
export function openHostNotes(folder = "/run/slipway"): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}
