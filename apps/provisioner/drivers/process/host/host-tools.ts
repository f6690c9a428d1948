/** What this host offers for isolating and locking workspaces: programs of util-linux, tried once before they are used. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface HostTools {
  /** util-linux flock, which holds a lock and then becomes another program. */
  flock?: string;
  /** util-linux setpriv, which drops privileges for good. */
  setpriv?: string;
  /** Whether setpriv can become another user here. */
  canChangeUser: boolean;
  env: string;
  /** Names this boot of the machine; empty if the system does not say. */
  bootId: string;
}

/** An unused user id, for the trial. */
const trialUid = "65534";
/** Long, because a busy host on which the trial failed would run its workspaces without isolation until the next start. */
export const trialTimeoutMs = 30_000;
const mostTrials = 3;

let found: HostTools | undefined;

/** Checks once and caches the result. */
export function findHostTools(): HostTools {
  found ??= lookForHostTools();
  return found;
}

function lookForHostTools(): HostTools {
  const env = findProgram("env") ?? "/usr/bin/env";
  const flock = findProgram("flock");
  const setpriv = findProgram("setpriv");
  const hasFlock = flock !== undefined && canLock(flock, env);
  const hasSetpriv = setpriv !== undefined && succeeds([setpriv, "--no-new-privs", env, "true"]);
  return {
    ...(hasFlock && { flock }),
    ...(hasSetpriv && { setpriv }),
    canChangeUser: hasSetpriv && process.getuid?.() === 0 && succeeds([setpriv, ...userOptions(Number(trialUid)), env, "true"]),
    env,
    bootId: readBootId(),
  };
}

/** Tries its own lock: one held by another program's trial, or by a tenant, would look like a host without locks. */
function canLock(flock: string, env: string): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-lock-"));
  try {
    return succeeds([flock, "-n", "-F", "-E", "75", folder, env, "true"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** setpriv's options for a user with only its own group, no capabilities and no way to gain any. */
export function userOptions(uid: number): string[] {
  return [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"];
}

/** The program in the first system folder that has it. */
export function findProgram(name: string): string | undefined {
  // Fixed folders: the search path of the user who started the control plane must not determine what runs as root.
  return ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

function succeeds([program, ...args]: [string, ...string[]]): boolean {
  const attempt = () => (spawnSync(program, args, { stdio: "ignore", timeout: trialTimeoutMs, env: {} }).status === 0 ? undefined : "no");
  return tryAgain(attempt) === undefined;
}

/** Runs a trial until it succeeds, three times at most: a temporary lack is not a permanent one. Returns the last problem. */
export function tryAgain(trial: () => string | undefined): string | undefined {
  for (let trials = 1; ; trials += 1) {
    const trouble = trial();
    if (trouble === undefined || trials === mostTrials) return trouble;
  }
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
