/**
 * Moves files that were unpacked beside a workspace's own into place, all or none, even if interrupted. Runs as the workspace's own user,
 * like everything that touches a tenant's files.
 */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "../driver-trouble.ts";
import { runProgram, type Owner } from "../host/run-program.ts";

const moveTimeoutMs = 600_000;
/** Beside the files it replaces, so that putting them in place is a rename. */
export const arriving = ".arriving";
/** The previous files, until all new ones are in place: while this folder exists, it counts. */
const leaving = ".leaving";
/** The same folder once it no longer counts and only has to be deleted. */
const left = ".left";
/** The most bytes read of the list of names that are being replaced; a tenant may have put something else there. */
const mostBytesOfNames = 65_536;

// Deleting first and failing then would leave neither the old nor the new files. So the old ones are set aside, and deleted once all new
// ones are in place. `.leaving/was` has the old files, `.leaving/not` the names where there was nothing, and `.leaving/names` all names,
// one per line, written before the first file is touched. If the process dies anywhere, `undo` restores the old files.
const undoScript = `
umask 077
undo() {
  [ -e ${leaving} ] || return 0
  for path; do
    if [ -e "${leaving}/was/$path" ] || [ -L "${leaving}/was/$path" ]; then
      remove "$path" && mv -f -- "${leaving}/was/$path" "$path" || return 1
    elif [ -e "${leaving}/not/$path" ]; then
      remove "$path" || return 1
    fi
  done
  # In one step: a half of it, with a mark that something was not there, would have the next one delete what came since.
  mv -- ${leaving} ${left} && remove ${left}
}
remove() {
  # A folder that its owner may not write to cannot be emptied.
  if [ -d "$1" ] && [ ! -L "$1" ]; then chmod -R u+rwx -- "$1" 2>/dev/null; fi
  rm -rf -- "$1"
}
remove ${left}
`;

const settleScript = `${undoScript}
remove ${arriving}
if [ -f ${leaving}/names ]; then
  set -f
  IFS='
'
  set -- $(head -c ${mostBytesOfNames} ${leaving}/names)
fi
if [ $# -gt 0 ]; then undo "$@"; elif [ ! -e ${leaving}/was ]; then remove ${leaving}; fi
`;

/** Exported for tests, which interrupt it at every step. */
export const placeScript = `${undoScript}
undo "$@" || exit 1
place() {
  mkdir ${leaving} && printf '%s\\n' "$@" > ${leaving}/names.new && mv -- ${leaving}/names.new ${leaving}/names || return 1
  for path; do
    if [ -e "$path" ] || [ -L "$path" ]; then kind=was; else kind=not; fi
    mkdir -p -- "$(dirname -- "${leaving}/$kind/$path")" || return 1
    [ $kind = was ] || : > "${leaving}/not/$path" || return 1
  done
  for path; do
    if [ ! -e "${leaving}/not/$path" ]; then
      # A folder is renamed by whoever may write to it.
      if [ -d "$path" ] && [ ! -L "$path" ]; then chmod u+rwx -- "$path"; fi
      mv -f -- "$path" "${leaving}/was/$path" || return 1
    fi
    if [ -e "${arriving}/$path" ]; then mkdir -p -- "$(dirname -- "$path")" && mv -f -- "${arriving}/$path" "$path" || return 1; fi
  done
  mv -- ${leaving} ${left}
}
if place "$@"; then remove ${left}; remove ${arriving}; exit 0; fi
undo "$@"
exit 1
`;

/**
 * Cleans up after a worker that died in a replacement: the old files are restored and nothing takes their space. Called before every start,
 * since that replacement may never be tried again. `paths` are for replacements begun by an older program, which wrote no names.
 */
export async function settleReplacement(data: string, owner: Owner | undefined, paths: readonly string[] = []): Promise<void> {
  for (const name of [arriving, leaving, left]) if (await isThere(path.join(data, name))) return run(data, owner, settleScript, paths);
}

/** Replaces `paths` with what was unpacked, all or none. */
export const placeArrived = (data: string, owner: Owner | undefined, paths: readonly string[]): Promise<void> =>
  run(data, owner, placeScript, paths);

export const discardArrived = (data: string, owner: Owner | undefined): Promise<void> => run(data, owner, `rm -rf -- ${arriving}`);

function run(data: string, owner: Owner | undefined, script: string, paths: readonly string[] = []): Promise<void> {
  return runProgram({
    program: "/bin/sh",
    args: ["-c", script, "sh", ...paths],
    ...(owner && { owner }),
    cwd: data,
    timeoutMs: moveTimeoutMs,
  });
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
