/** How a test that runs as root starts a program as somebody who is not: the service must work for both. */
import { spawnSync } from "node:child_process";

/** Somebody without a name in /etc/passwd, as containers like to have it. */
const ordinary = 23_456;

export interface OrdinaryUser {
  /** Words before the command. */
  prefix: string[];
  /** For spawn, and for giving away folders; empty where a namespace does it. */
  become: { uid?: number; gid?: number };
}

/** Another user who can reach `files`; where nobody else can (a clone in root's own folder), a namespace in which root is none. */
export function ordinaryUser(files: readonly string[]): OrdinaryUser {
  if (process.getuid?.() !== 0) return { prefix: [], become: {} };
  if (files.every((file) => canReach(file, ordinary))) return { prefix: [], become: { uid: ordinary, gid: ordinary } };
  return { prefix: ["unshare", "--user", "--map-user=1", "--map-group=1"], become: {} };
}

export const canReach = (file: string, uid: number): boolean => spawnSync("test", ["-r", file], { uid, gid: uid, cwd: "/" }).status === 0;
