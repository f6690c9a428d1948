/**
 * Where this installation's user ids begin. Two installations on one host both have a workspace number 1. With the same user for both, each
 * could read the other's files, and ending one would kill the other. So each range of ids belongs to one folder of the host and is recorded
 * where every installation looks. A copy of a folder, restored beside the original, contains the original's range and gets another one.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { StartTrouble } from "#platform/start-trouble.ts";
import { hasCode } from "../../driver-trouble.ts";
import { openHostNotes } from "./host-notes.ts";
import { findHostTools } from "./host-tools.ts";

/** Above the ids that systems give to people, services and one rootless container user. */
export const lowestUid = 200_000;
const uidsPerInstallation = 100_000;
/** Keeps the highest below 2^31. */
const installations = 10_000;

/** For this host and this boot: a reboot ends every process, and the first installation to start may have the range. */
const hostClaims = "/run/slipway/uid-ranges";
/** This many random ranges in a row are unlikely to be all taken. */
const candidates = 20;
const claimTimeoutMs = 30_000;

/**
 * Arguments: 1 where claims are, 2 the folder of workspaces, then candidate ranges. A claim counts while its folder exists and still names
 * the range, not after the folder was moved or deleted. A copy's process records belong to the original, so they are deleted before the
 * copy gets its range. The mark for `originalOf` comes first of all, so that a start after a crash in between finds the same work again.
 */
const claimScript = `
set -e
umask 022
claims=$1 mine=$2
shift 2
holder_of() {
  holder=$(cat "$claims/$1" 2>/dev/null) || return 0
  if [ "$holder" -ef "$mine" ] || [ "$(cat "$holder/.first-uid" 2>/dev/null)" != "$1" ]; then return 0; fi
  printf %s "$holder"
}
put() { printf %s "$2" > "$1.new"; mv -f -- "$1.new" "$1"; }
first=
[ ! -e "$mine/.first-uid" ] || first=$(cat "$mine/.first-uid")
case "$first" in *[!0-9]*) echo "$mine/.first-uid should hold a user id" >&2; exit 1;; esac
if [ -z "$first" ] || [ -n "$(holder_of "$first")" ]; then
  original=
  if [ -n "$first" ]; then
    original=$(holder_of "$first")
    put "$mine/.copy-of" "$original"
    for run in "$mine"/*/run "$mine"/.removed-*/run; do rm -f -- "$run/process" "$run/exit.json" "$run/network" "$run/ports.json"; done
  fi
  first=
  for each; do [ -n "$(holder_of "$each")" ] || { first=$each; break; }; done
  [ -n "$first" ] || { echo "no other range is free, and $original has this folder's" >&2; exit 1; }
fi
put "$claims/$first" "$mine"
put "$mine/.first-uid" "$first"
printf %s "$first"
`;

/**
 * The number that is added to a workspace's number to make its user id. It is chosen once, kept beside the workspaces, and used by this
 * folder alone on this host. Needs root, as separate users do. Throws if none can be claimed.
 */
export function claimFirstUid(workspacesDir: string, claims = hostClaims): number {
  const notes = openClaims(claims);
  const random = Array.from({ length: candidates }, () => String(lowestUid + uidsPerInstallation * randomInt(0, installations)));
  const script = ["/bin/sh", "-c", claimScript, "sh", claims, realpathSync(workspacesDir), ...random];
  const { flock } = findHostTools();
  // One process at a time on this host: two that look at the same moment would both find a range free.
  const [program, ...args] = flock === undefined ? script : [flock, path.join(notes, "uid-ranges.lock"), ...script];
  const { status, stdout, stderr, error } = spawnSync(program!, args, {
    encoding: "utf8",
    timeout: claimTimeoutMs,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  });
  const uid = Number(stdout);
  if (status !== 0) throw new StartTrouble(`No user ids could be claimed for workspaces on this host: ${stderr?.trim() || error?.message}`);
  if (!Number.isSafeInteger(uid) || uid < lowestUid)
    throw new StartTrouble(`${path.join(workspacesDir, ".first-uid")} should hold a user id of ${lowestUid} or more.`);
  return uid;
}

/** Returns the folder above the claims. */
function openClaims(claims: string): string {
  try {
    const notes = openHostNotes(path.dirname(claims));
    mkdirSync(claims, { recursive: true });
    return notes;
  } catch (error) {
    throw new StartTrouble(`No user ids could be claimed for workspaces on this host: ${(error as Error).message}`, { cause: error });
  }
}

const copyMark = (workspacesDir: string): string => path.join(workspacesDir, ".copy-of");

/** The folder that this one is a copy of, as `claimFirstUid` found now or at an interrupted start, until `settleCopy`. */
export function originalOf(workspacesDir: string): string | undefined {
  try {
    return readFileSync(copyMark(workspacesDir), "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Nothing in the database refers to the original's workspaces any more. */
export function settleCopy(workspacesDir: string): void {
  rmSync(copyMark(workspacesDir), { force: true });
}
