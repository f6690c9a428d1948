/** How a test that runs as root starts a program as an ordinary user: the service must work for both. */
import { spawnSync } from "node:child_process";

/** A user without a name in /etc/passwd, as often in containers. */
const ordinary = 23_456;

export interface OrdinaryUser {
  /** Precedes the command. */
  prefix: string[];
  /** For spawn, and for changing the owner of folders; empty if a namespace is used. */
  become: { uid?: number; gid?: number };
}

/** Another user who can reach `files`; if no other user can (a clone in root's home), a namespace in which root is an ordinary user. */
export function ordinaryUser(files: readonly string[]): OrdinaryUser {
  if (process.getuid?.() !== 0) return { prefix: [], become: {} };
  if (files.every((file) => canReach(file, ordinary))) return { prefix: [], become: { uid: ordinary, gid: ordinary } };
  return { prefix: ["unshare", "--user", "--map-user=1", "--map-group=1"], become: {} };
}

export const canReach = (file: string, uid: number): boolean => spawnSync("test", ["-r", file], { uid, gid: uid, cwd: "/" }).status === 0;
