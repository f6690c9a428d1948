/** Where this host remembers until its next boot what all installations on it must know. */
import { chmodSync, mkdirSync } from "node:fs";

/**
 * The folder, made where it is missing and for root alone: its files are locks as well, which whoever can open a file can hold. Throws where
 * the system refuses.
 */
export function openHostNotes(folder = "/run/slipway"): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}
