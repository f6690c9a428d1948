/** Whether tenants can be isolated on this host, so that the program can warn at start and production can refuse. */
import { realpathSync, statSync, type Stats } from "node:fs";
import path from "node:path";
import { hasCode } from "../../driver-trouble.ts";
import { findHostTools } from "./host-tools.ts";
import { findSandboxTools } from "../sandbox/sandbox-tools.ts";

export interface Isolation {
  /** Whether each workspace has a sandbox: its own user, view of files and processes, network, disk and limits. */
  isolated: boolean;
  /** Whether each has at least its own user. */
  hasUsers: boolean;
  /** If not, the reason, as a sentence for the operator. */
  reason?: string;
}

/**
 * Whether workspaces can run in sandboxes, as separate users that can still reach `paths` (the workspaces' folder, engines, the Node
 * binary). A path that does not exist yet is judged by the folders above it.
 */
export function describeIsolation(paths: readonly string[]): Isolation {
  if (process.platform !== "linux") return no(`workspaces can be kept apart only on Linux, and this is ${process.platform}`);
  if (process.getuid?.() !== 0) return no("only root can give workspaces their own users");
  if (!findHostTools().canChangeUser) return no("util-linux setpriv is missing or may not change users here");
  const closed = paths
    .flatMap(waysTo)
    .map(firstClosed)
    .find((each) => each !== undefined);
  if (closed !== undefined) return no(`other users cannot enter or read ${closed}`);
  // The lock ensures that all processes that start a workspace use the same sandbox.
  const missing = findHostTools().flock === undefined ? "util-linux flock is missing or does not work here" : findSandboxTools().missing;
  return missing === undefined ? { isolated: true, hasUsers: true } : { isolated: false, hasUsers: true, reason: missing };
}

const no = (reason: string): Isolation => ({ isolated: false, hasUsers: false, reason });

/** The path as written, and where its links lead. */
function waysTo(target: string): string[] {
  const written = path.resolve(target);
  try {
    return [written, realpathSync(written)];
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [written];
    throw error;
  }
}

/** The first path, from the root down, that keeps other users out. */
function firstClosed(target: string): string | undefined {
  const parts = target.split("/").filter((part) => part !== "");
  const all = ["/", ...parts.map((_part, index) => `/${parts.slice(0, index + 1).join("/")}`)];
  return all.find((each) => !isOpen(each));
}

function isOpen(each: string): boolean {
  const stats = statIfPresent(each);
  if (stats === undefined) return true;
  return stats.isDirectory() ? (stats.mode & 0o001) !== 0 : (stats.mode & 0o004) !== 0;
}

function statIfPresent(each: string): Stats | undefined {
  try {
    return statSync(each);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
