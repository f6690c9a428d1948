/**
 * A browser that takes no notice of changes to this machine's network. Chromium aborts every request in flight with ERR_NETWORK_CHANGED when
 * an address is added anywhere, and each isolated workspace adds one: beside a test that launches one, any page of any test failed by chance.
 */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { leaveDisks } from "../containers/own-mounts.ts";

/** Of linux/filter.h, linux/seccomp.h and linux/audit.h; the numbers are those of x86-64, the only processor of our Chromium. */
const load = 0x20;
const ifEqual = 0x15;
const answer = 0x06;
const allow = 0x7fff_0000;
const [x64, socketCall, netlinkFamily] = [0xc000_003e, 41, 16];
/** EAFNOSUPPORT: Chromium then takes the network for always on, and asks no more. */
const noSuchFamily = 0x0005_0000 + 97;
const offsets = { call: 0, architecture: 4, firstArgument: 16 };

/** Code, how many instructions to skip if equal and if not, operand. */
const program = [
  [load, 0, 0, offsets.architecture],
  [ifEqual, 0, 5, x64],
  [load, 0, 0, offsets.call],
  [ifEqual, 0, 3, socketCall],
  [load, 0, 0, offsets.firstArgument],
  [ifEqual, 0, 1, netlinkFamily],
  [answer, 0, 0, noSuchFamily],
  [answer, 0, 0, allow],
] as const;

/** Refuses sockets to the kernel's network tables: a program for seccomp(2), as `bwrap --seccomp` reads it. */
function withoutNetlink(): Buffer {
  const filter = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(ifTrue, index * 8 + 2);
    filter.writeUInt8(ifFalse, index * 8 + 3);
    filter.writeUInt32LE(operand, index * 8 + 4);
  }
  return filter;
}

/**
 * The path of a script, made once in `folder`, that starts this browser so. Where bubblewrap is missing or may not be used, workspaces are
 * not isolated and add no addresses: then the browser itself, as where nothing can be written.
 */
export async function onSteadyNetwork(executablePath: string, folder: string): Promise<string> {
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

/** Moved into place, so that whoever finds it can use it; made again if a crash of the machine left it empty. Returns its path. */
async function keep(folder: string, name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 12)}`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept?.equals(Buffer.from(content))) return path;
  const staged = `${path}.${randomUUID()}`;
  await writeFile(staged, content, { mode: 0o755 });
  await rename(staged, path);
  return path;
}
