/**
 * Where this installation's user ids begin. Two installations on one host both have a workspace number 1; with the same
 * user for both, each could read, and the end of one would kill, the other's.
 */
import { randomBytes, randomInt } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode } from "./driver-trouble.ts";

/** Above what systems give to people, services and one rootless container user. */
export const lowestUid = 200_000;
const uidsPerInstallation = 100_000;
/** Keeps the highest below 2^31. */
const installations = 10_000;

/** The number that is added to a workspace's own to make its user id: chosen once, kept beside the workspaces. */
export function findFirstUid(workspacesDir: string): number {
  const file = path.join(workspacesDir, ".first-uid");
  return readFirstUid(file) ?? createFirstUid(file);
}

function readFirstUid(file: string): number | undefined {
  try {
    const uid = Number(readFileSync(file, "utf8"));
    if (!Number.isSafeInteger(uid) || uid < lowestUid) throw new Error(`${file} should hold a user id of ${lowestUid} or more`);
    return uid;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function createFirstUid(file: string): number {
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(beside, String(lowestUid + uidsPerInstallation * randomInt(0, installations)), { mode: 0o644 });
  try {
    // Unlike a rename, a link does not replace what another process chose in the meantime.
    linkSync(beside, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(beside, { force: true });
  }
  return readFirstUid(file) ?? lowestUid;
}
