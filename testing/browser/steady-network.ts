/**
 * A browser that takes no notice of changes to this machine's network. Chromium aborts every request in flight with ERR_NETWORK_CHANGED when
 * an address is added anywhere, and each isolated workspace adds one: beside a test that launches one, any page of any test failed by chance.
 */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  allow,
  assemble,
  callNumbers,
  errors,
  ifOneOf,
  knowsCallsOf,
  load,
  offsets,
  refuse,
  unlessOneOf,
} from "#apps/provisioner/drivers/process/sandbox/filter-program.ts";
import { leaveDisks } from "../containers/own-mounts.ts";

/** AF_NETLINK of linux/socket.h. */
const netlinkFamily = 16;

/** Refuses sockets to the kernel's network tables: Chromium then takes the network for always on, and asks no more. */
function withoutNetlink(): Buffer {
  const { audit, socket } = callNumbers(process.arch);
  return assemble([
    load(offsets.architecture),
    ...unlessOneOf([audit], allow),
    load(offsets.number),
    ...ifOneOf([socket], [load(offsets.argument(0)), ...ifOneOf([netlinkFamily], [refuse(errors.noSuchFamily)]), allow]),
    allow,
  ]);
}

/**
 * The path of a script, made once in `folder`, that starts this browser so. Where bubblewrap is missing or may not be used, workspaces are
 * not isolated and add no addresses: then the browser itself, as where nothing can be written.
 */
export async function onSteadyNetwork(executablePath: string, folder: string): Promise<string> {
  if (!knowsCallsOf(process.arch)) return executablePath;
  return makeScript(executablePath, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EACCES" || error.code === "EROFS") return executablePath;
    throw error;
  });
}

/** Of a busy machine: it may have no process or no memory to spare for a moment. */
const trials = 3;

async function makeScript(executablePath: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const filter = await keep(folder, "without-netlink", withoutNetlink());
  // Bubblewrap gives it a mount namespace.
  const inside = quoted(`${leaveDisks}exec "$0" "$@"`);
  const start = (command: string) =>
    `#!/bin/sh\nexec bwrap --dev-bind / / --seccomp 9 -- /bin/sh -c ${inside} ${command} 9<${quoted(filter)}\n`;
  const trial = await keep(folder, "steady-trial", start("/bin/true"));
  for (let tried = 0; tried < trials; tried += 1) {
    const works = await promisify(execFile)(trial).then(
      () => true,
      () => false,
    );
    if (works) return keep(folder, "steady-browser", start(`${quoted(executablePath)} "$@"`));
  }
  return executablePath;
}

/** One word for the shell, whatever is in it. */
const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** Moved into place, so that a process that finds it can use it; made again if a crash of the machine left it empty. Returns its path. */
async function keep(folder: string, name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 12)}`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept?.equals(Buffer.from(content))) return path;
  const staged = `${path}.${randomUUID()}`;
  await writeFile(staged, content, { mode: 0o755 });
  await rename(staged, path);
  return path;
}
