/**
 * Where this installation's user ids begin. Two installations on one host both have a workspace number 1; with the same
 * user for both, each could read, and the end of one would kill, the other's. So a range belongs to one folder of a host, which
 * says so where every installation looks. A copy of a folder, restored beside it, brings its range along and gets another one.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { StartTrouble } from "#platform/start-trouble.ts";
import { hasCode } from "../driver-trouble.ts";
import { openHostNotes } from "./host-notes.ts";
import { findHostTools } from "./host-tools.ts";

/** Above what systems give to people, services and one rootless container user. */
export const lowestUid = 200_000;
const uidsPerInstallation = 100_000;
/** Keeps the highest below 2^31. */
const installations = 10_000;

/** Of this host and this boot: with a reboot every process has ended, and whoever starts first may have the range. */
const hostClaims = "/run/slipway/uid-ranges";
/** As many random ranges in a row are hardly all taken. */
const candidates = 20;
const claimTimeoutMs = 30_000;

/**
 * 1 where claims are, 2 the folder of workspaces, then ranges that may be taken. A claim counts as long as its folder is there and still
 * names the range: one that was moved or deleted has none. A copy's notes of what runs are the original's, so they go before it gets its
 * range; the mark for `originalOf` comes first of all, so that whoever is killed in between finds the same work again.
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
 * The number that is added to a workspace's own to make its user id: chosen once, kept beside the workspaces, and of this folder alone on
 * this host. Needs root, as users of their own do. Throws where none can be claimed.
 */
export function claimFirstUid(workspacesDir: string, claims = hostClaims): number {
  const notes = openClaims(claims);
  const random = Array.from({ length: candidates }, () => String(lowestUid + uidsPerInstallation * randomInt(0, installations)));
  const script = ["/bin/sh", "-c", claimScript, "sh", claims, realpathSync(workspacesDir), ...random];
  const { flock } = findHostTools();
  // One at a time on this host: two that look at the same moment would both find a range free.
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

/** Returns the folder around it. */
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

/** The folder that this one is a copy of, found by `claimFirstUid` now or at a start that was broken off, until `settleCopy`. */
export function originalOf(workspacesDir: string): string | undefined {
  try {
    return readFileSync(copyMark(workspacesDir), "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Nothing in the database leads to the original's workspaces any more. */
export function settleCopy(workspacesDir: string): void {
  rmSync(copyMark(workspacesDir), { force: true });
}
