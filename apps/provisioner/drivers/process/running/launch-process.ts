/**
 * Starts a workspace's process so that it owes the control plane nothing: a session of its own, output straight to a
 * file, a lock that the kernel gives to one process only, and a record that the process writes of itself.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { FilledSpec } from "../../fill-templates.ts";
import { userOptions, type HostTools } from "../host/host-tools.ts";
import type { LaunchNote } from "./process-record.ts";
import { openFilesFor } from "../sandbox/file-table.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** What the launcher ends with when another process holds the lock; from sysexits(3), "try again later". */
export const lockHeldCode = 75;
/** And when it could not write down who it is, which it must before it may become the engine. */
export const notRecordedCode = 74;

/** The largest file, in 512-byte blocks: 2 GB. It also bounds what a workspace can print between two looks at its log. */
const fileBlocks = 4 * 1024 * 1024;
/**
 * Processes and threads one workspace's user may have: n8n uses about 40. Fewer than its control group may, because this bound the
 * kernel looks at before it copies a process, and that one after: a fork bomb at its bound would copy and throw away all the time.
 */
export const userProcesses = 480;
/**
 * When the host runs out of memory the kernel takes a workspace before the control plane (0) or its database. Not more: within a
 * workspace the process that runs customers' code has 1000, and must weigh more than the engine even when the engine fills the bound.
 */
const oomScore = 200;

// Runs while the lock is held. `$$` stays the same through every exec below it, so the record names the engine.
const launcher = `
umask 077
record=$1 note=$2 logs=$3 own=$4 files=$5
shift 5
[ ! -e "$logs/output.1.log" ] || mv -f "$logs/output.1.log" "$logs/output.2.log"
[ ! -e "$logs/output.log" ] || mv -f "$logs/output.log" "$logs/output.1.log"
: >> "$logs/output.log" || exit ${notRecordedCode}
{ read -r born < /proc/$$/stat; } 2>/dev/null || born=$(LC_ALL=C TZ=UTC /bin/ps -o lstart= -p $$)
printf '%s\\n%s\\n%s\\n' "$$" "$born" "$note" > "$record.new" || exit ${notRecordedCode}
mv -f "$record.new" "$record" || exit ${notRecordedCode}
ulimit -c 0
{ ulimit -n "$files"; } 2>/dev/null
[ "$own" != yes ] || ulimit -f ${fileBlocks}
[ "$own" != yes ] || { ulimit -p ${userProcesses} || ulimit -u ${userProcesses}; } 2>/dev/null
{ echo ${oomScore} > /proc/self/oom_score_adj; } 2>/dev/null
exec "$@" >> "$logs/output.log" 2>&1
`;

/** Where flock cannot hold a lock for us: a file that names its holder and its birth. Good enough for a developer's own machine. */
const lockByFile = `
lock=$1
shift
birth() { echo $(LC_ALL=C TZ=UTC /bin/ps -o lstart= -p "$1"); }
lockIt() { (set -C; printf '%s\n%s\n' $$ "$(birth $$)" > "$lock") 2>/dev/null; }
if ! lockIt; then
  { read -r holder; read -r since; } < "$lock"
  [ -n "$since" ] && [ "$(birth "$holder")" = "$since" ] && exit ${lockHeldCode}
  rm -f "$lock"
  lockIt || exit ${lockHeldCode}
fi
`;

/** Names a shell adds to the environment by itself. */
const shellNames = ["PWD", "OLDPWD", "SHLVL", "_"];

export interface Launch {
  paths: WorkspacePaths;
  note: LaunchNote;
  spec: FilledSpec;
  tools: HostTools;
  /** What the process is enclosed in, where the host can do that. */
  sandbox?: {
    enclosure: readonly string[];
    view: readonly string[];
    wasOutOfMemory(): Promise<boolean>;
  };
}

/** Starts it and returns at once; what comes of it is in the record, or in the child's end. */
export function launchProcess(launch: Launch): ChildProcess {
  const { paths, spec } = launch;
  const [program, ...args] = launchCommand(launch);
  const trouble = openSync(paths.launchLog, "w", 0o600);
  try {
    const child = spawn(program, args, { cwd: paths.data, env: spec.env, detached: true, stdio: ["ignore", trouble, trouble] });
    child.unref();
    return child;
  } finally {
    closeSync(trouble);
  }
}

function launchCommand({ paths, note, spec, tools, sandbox }: Launch): [string, ...string[]] {
  const own = note.uid === undefined ? "no" : "yes";
  // The view adds a variable of its own, so the environment is cleaned inside it.
  const command = [...privileges(note, tools), ...(sandbox?.view ?? []), ...cleanEnv(spec.env, tools), ...spec.command];
  const launched = [paths.record, JSON.stringify(note), paths.logs, own, String(openFilesFor(userProcesses)), ...command];
  // Never half of a sandbox: without its enclosure a workspace would have the host's network and no bounds.
  if (sandbox && tools.flock === undefined) throw new Error("a sandbox cannot be entered without util-linux flock");
  return tools.flock === undefined
    ? ["/bin/sh", "-c", lockByFile + launcher, "sh", paths.lock, ...launched]
    : [
        tools.flock,
        "-n",
        "-F",
        "-E",
        String(lockHeldCode),
        paths.lock,
        ...(sandbox?.enclosure ?? []),
        "/bin/sh",
        "-c",
        launcher,
        "sh",
        ...launched,
      ];
}

function cleanEnv(env: FilledSpec["env"], tools: HostTools): string[] {
  const removed = shellNames.filter((name) => !Object.hasOwn(env, name)).flatMap((name) => ["-u", name]);
  const kept = shellNames.filter((name) => Object.hasOwn(env, name)).map((name) => `${name}=${env[name]}`);
  return [tools.env, ...removed, ...kept];
}

function privileges(note: LaunchNote, tools: HostTools): string[] {
  if (tools.setpriv === undefined) return [];
  return note.uid === undefined ? [tools.setpriv, "--no-new-privs"] : [tools.setpriv, ...userOptions(note.uid)];
}
