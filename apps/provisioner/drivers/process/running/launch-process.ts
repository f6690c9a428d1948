/**
 * Starts a workspace's process independently of the control plane: in its own session, with output directly to a file, a lock that the
 * kernel gives to one process only, and a record that the process writes about itself.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { FilledSpec } from "../../fill-templates.ts";
import { userOptions, type HostTools } from "../host/host-tools.ts";
import { mostUserProcesses } from "../../workspace-bounds.ts";
import type { LaunchNote } from "./process-record.ts";
import { openFilesFor } from "../sandbox/file-table.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** The launcher's exit code when another process holds the lock; "try again later" in sysexits(3). */
export const lockHeldCode = 75;
/** Its exit code when it could not record itself, which it must do before it may become the engine. */
export const notRecordedCode = 74;

/** The largest file, in 512-byte blocks: 2 GB. It also limits what a workspace can print between two looks at its log. */
const fileBlocks = 4 * 1024 * 1024;
/**
 * When the host runs out of memory, the kernel kills a workspace before the control plane (0) or its database. The score is no higher
 * because the process that runs customers' code has 1000, and must be killed before the engine even when the engine fills the limit.
 */
const oomScore = 200;

/**
 * Where a workspace reports that it is ready. Opened in both directions, so that it never waits for a reader. Must not be the lock's
 * descriptor, which flock opens as the lowest free one (3) and which must stay open to hold the lock, nor that of the sandbox's filter (9).
 */
export const readyDescriptor = 8;

// Runs while the lock is held. `$$` stays the same through every exec below it, so the record names the engine.
const launcher = `
umask 077
record=$1 note=$2 logs=$3 own=$4 files=$5 ready=$6 says=$7
shift 7
[ ! -e "$logs/output.1.log" ] || mv -f "$logs/output.1.log" "$logs/output.2.log"
[ ! -e "$logs/output.log" ] || mv -f "$logs/output.log" "$logs/output.1.log"
: >> "$logs/output.log" || exit ${notRecordedCode}
rm -f "$ready"
{ [ "$says" = yes ] && mkfifo "$ready"; } || ready=/dev/null
{ read -r born < /proc/$$/stat; } 2>/dev/null || born=$(LC_ALL=C TZ=UTC /bin/ps -o lstart= -p $$)
printf '%s\\n%s\\n%s\\n' "$$" "$born" "$note" > "$record.new" || exit ${notRecordedCode}
mv -f "$record.new" "$record" || exit ${notRecordedCode}
ulimit -c 0
{ ulimit -n "$files"; } 2>/dev/null
[ "$own" != yes ] || ulimit -f ${fileBlocks}
[ "$own" != yes ] || { ulimit -p ${mostUserProcesses} || ulimit -u ${mostUserProcesses}; } 2>/dev/null
{ echo ${oomScore} > /proc/self/oom_score_adj; } 2>/dev/null
exec "$@" >> "$logs/output.log" 2>&1 ${readyDescriptor}<> "$ready"
`;

/** If flock cannot hold the lock: a file that names its holder and the holder's start time. Good enough for a developer's machine. */
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

/** Variables that a shell adds to the environment. */
const shellNames = ["PWD", "OLDPWD", "SHLVL", "_"];

export interface Launch {
  paths: WorkspacePaths;
  note: LaunchNote;
  spec: FilledSpec;
  /** Whether the process gets a pipe to report that it is ready. */
  saysReady: boolean;
  tools: HostTools;
  /** The sandbox around the process, if the host can make one. */
  sandbox?: {
    enclosure: readonly string[];
    view: readonly string[];
    wasOutOfMemory(): boolean;
  };
}

/** Starts it and returns immediately; the result is in the record, or in the child's exit. */
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

function launchCommand({ paths, note, spec, saysReady, tools, sandbox }: Launch): [string, ...string[]] {
  const own = note.uid === undefined ? "no" : "yes";
  const says = saysReady ? "yes" : "no";
  // The view adds a variable, so the environment is cleaned inside it.
  const command = [...privileges(note, tools), ...(sandbox?.view ?? []), ...cleanEnv(spec.env, tools), ...spec.command];
  const launched = [
    paths.record,
    JSON.stringify(note),
    paths.logs,
    own,
    String(openFilesFor(mostUserProcesses)),
    paths.ready,
    says,
    ...command,
  ];
  // Never a partial sandbox: without all of it, a workspace would have the host's network and no limits.
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
