/**
 * A workspace's files as one tar stream, in and out. A tenant can put anything there, links to anywhere included, so tar runs as the
 * workspace's own user: what it follows, reads or overwrites was the tenant's to begin with.
 */
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DriverFailure, type StoragePlace } from "../driver.ts";
import { observeWorkspace } from "./observe-workspace.ts";
import { prepareFolder } from "./prepare-folder.ts";
import type { ProcessHost } from "./process-host.ts";
import { runProgram, type Owner } from "./run-program.ts";
import { hasDisk } from "./sandbox/disk.ts";

/** Hundreds of gigabytes on a slow disk take less; a tar that hangs must end. */
const copyTimeoutMs = 4 * 3_600_000;
const moveTimeoutMs = 600_000;
/** GNU tar's end when a file changed or went while it was read: what was frozen before does not. */
const changedMeanwhileCode = 1;
/** Beside the files it will become, so that putting them in place is a rename. */
const arriving = ".arriving";

// A file that its owner made unreadable even for themselves is no reason to have no backup. Nothing at all is an empty archive.
const readScript = `
count=$#
while [ $count -gt 0 ]; do
  if [ -e "$1" ] || [ -L "$1" ]; then set -- "$@" "$1"; fi
  shift
  count=$((count - 1))
done
[ $# -gt 0 ] || exec head -c 1024 /dev/zero
if tar --version | grep -q GNU; then exec tar --create --file=- --format=pax --one-file-system --ignore-failed-read -- "$@"; fi
exec tar -c -f - --format=pax -- "$@"
`;

const unpackScript = `umask 077; rm -rf -- ${arriving} && mkdir ${arriving} && exec tar -x -f - -C ${arriving} -o`;

const placeScript = `
umask 077
for path; do
  rm -rf -- "$path" || exit 1
  if [ -e "${arriving}/$path" ]; then mkdir -p -- "$(dirname -- "$path")" && mv -f -- "${arriving}/$path" "$path" || exit 1; fi
done
rm -rf -- ${arriving}
`;

/** The stream begins at once; it fails where tar does. */
export async function readStorage(host: ProcessHost, place: StoragePlace, wanted: readonly string[]): Promise<Readable> {
  const paths = host.paths(place.workspaceId);
  const owner = host.owner(place.workspaceNumber);
  // After a restart of the host the disk of a stopped workspace is not mounted.
  if (owner && (await hasDisk(paths))) await host.sandbox?.prepareDisks(paths, owner);
  return Readable.from(readTar(paths.data, wanted, owner), { objectMode: false, highWaterMark: 256 * 1024 });
}

async function* readTar(data: string, paths: readonly string[], owner: Owner | undefined): AsyncGenerator<Buffer> {
  const tar = startShell(readScript, paths, data, owner);
  tar.child.stdin.end();
  try {
    for await (const chunk of tar.child.stdout) yield chunk as Buffer;
    await tar.ended([0, changedMeanwhileCode]);
  } finally {
    tar.child.kill("SIGKILL");
  }
}

/** Unpacks beside what is there and then renames, so that a broken stream changes nothing. */
export async function replaceStorage(host: ProcessHost, place: StoragePlace, paths: readonly string[], archive: Readable): Promise<void> {
  try {
    if ((await observeWorkspace(host, place.workspaceId)).state === "running") throw new DriverFailure("storage_failed", "the workspace runs");
    const folders = host.paths(place.workspaceId);
    const owner = host.owner(place.workspaceNumber);
    await prepareFolder(folders, owner, host.sandbox);
    const run = { program: "/bin/sh", ...(owner && { owner }), cwd: folders.data, timeoutMs: moveTimeoutMs };
    try {
      await unpack(folders.data, owner, archive);
      await runProgram({ ...run, args: ["-c", placeScript, "sh", ...paths] });
    } catch (error) {
      await runProgram({ ...run, args: ["-c", `rm -rf -- ${arriving}`] }).catch(() => undefined);
      throw error;
    }
  } finally {
    archive.destroy();
  }
}

async function unpack(data: string, owner: Owner | undefined, archive: Readable): Promise<void> {
  const tar = startShell(unpackScript, [], data, owner);
  tar.child.stdout.resume();
  try {
    await pipeline(archive, tar.child.stdin);
  } catch (error) {
    tar.child.kill("SIGKILL");
    // A pipe that tar closed says nothing; what tar wrote before it ended does.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") await tar.ended([0]);
    throw error;
  }
  await tar.ended([0]);
}

function startShell(script: string, args: readonly string[], cwd: string, owner: Owner | undefined) {
  const child = spawn("/bin/sh", ["-c", script, "sh", ...args], {
    ...owner,
    cwd,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: copyTimeoutMs,
    killSignal: "SIGKILL",
  });
  let trouble = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (trouble = (trouble + text).slice(-2_000)));
  child.stdin.on("error", () => undefined);
  const end = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code));
  });
  // Whoever asks for the end hears of a failure to start; nobody asking must not end the program.
  end.catch(() => undefined);
  return {
    child,
    async ended(good: readonly number[]): Promise<void> {
      const code = await end;
      if (code === null || !good.includes(code)) throw new Error(trouble.trim() || `tar ended with ${code ?? "a signal"}`);
    },
  };
}
