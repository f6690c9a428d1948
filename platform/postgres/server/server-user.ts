/**
 * PostgreSQL refuses to run as root, and initdb refuses a user without a name in the system. This finds a way
 * around both: a user namespace, in which we have another user number, or another user of the system.
 */
import { spawnSync } from "node:child_process";
import { chownSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { StartTrouble } from "../../start-trouble.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";

/** How to start a PostgreSQL program: words before its command, or a user to switch to. */
export interface ServerUser {
  prefix: string[];
  /** Set when the server must be another system user, who then owns its folders. */
  become?: { uid: number; gid: number };
}

interface NamedUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Chooses the user for a data folder: the current one if ordinary, else a user namespace, else an unprivileged user
 * who must be able to reach the programs and `folder`. A cluster in `existing` keeps its owner.
 */
export function chooseServerUser(binaries: PostgresBinaries, folder: string, existing?: string): ServerUser {
  const uid = process.getuid?.() ?? 1;
  const owner = existing === undefined ? undefined : statSync(existing).uid;
  if (owner !== undefined && owner !== uid && uid !== 0) {
    throw new StartTrouble(
      `The database in ${existing} belongs to another user (number ${owner}). Start Slipway as that user, or choose another DATA_DIR.`,
    );
  }
  if (uid !== 0 && hasName()) return { prefix: [] };
  if (owner === undefined || owner === uid) {
    const namespace = userNamespace();
    if (namespace) return namespace;
    if (owner === uid)
      throw new StartTrouble(
        `The database in ${existing} was created as this user with a user namespace, which this machine no longer allows. ${waysOut}`,
      );
  }
  return otherUser(binaries, folder, owner);
}

const waysOut = "Start Slipway as an ordinary named user, or set DATABASE_URL to a PostgreSQL 15 or later.";

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

function namedUsers(): NamedUser[] {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  return lines
    .map((line) => line.split(":"))
    .flatMap(([name, , uid, gid]) => (name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []));
}

/** Inside the namespace we have another number; outside, the files stay ours, so private folders remain reachable. */
function userNamespace(): ServerUser | undefined {
  // Inside a namespace, the kernel shows all other users as 65534; using that as our own number would be confusing.
  const user = namedUsers().find(({ uid }) => uid !== 65534);
  if (process.platform !== "linux" || !user) return undefined;
  const prefix = ["unshare", "--user", `--map-user=${user.uid}`, `--map-group=${user.gid}`];
  return spawnSync(prefix[0] as string, [...prefix.slice(1), "true"], { stdio: "ignore" }).status === 0 ? { prefix } : undefined;
}

function otherUser(binaries: PostgresBinaries, folder: string, owner: number | undefined): ServerUser {
  const users = namedUsers();
  const user =
    owner === undefined
      ? (users.find(({ name }) => name === "postgres") ?? users.find(({ name }) => name === "nobody"))
      : users.find(({ uid }) => uid === owner);
  const explain = `PostgreSQL does not run as root, and this machine does not allow user namespaces (unshare --user). ${waysOut}`;
  if (process.getuid?.() !== 0 || !user) throw new StartTrouble(explain);
  const become = { uid: user.uid, gid: user.gid };
  const works = (command: string, ...args: string[]) =>
    spawnSync(command, args, { ...become, env: binaries.env, cwd: "/", stdio: "ignore" }).status === 0;
  if (!works(binaries.postgres, "--version"))
    throw new StartTrouble(`${explain} The user ${user.name} can't reach ${binaries.postgres} either.`);
  if (!works("test", "-x", folder)) throw new StartTrouble(`${explain} The user ${user.name} can't reach ${folder} either.`);
  return { prefix: [], become };
}

/** Gives a folder or file to the server's user. */
export function handOver(path: string, user: ServerUser): void {
  if (user.become) chownSync(path, user.become.uid, user.become.gid);
}
