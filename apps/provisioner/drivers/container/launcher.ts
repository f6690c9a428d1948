/**
 * The first program in a workspace's container, under tini: brings the folder into the ordered state, and becomes the tool with exactly the
 * ordered environment. Variables that a container runtime adds do not reach the tool. The tool must be a Node program: prove-name.ts is
 * loaded into it.
 */
import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { networkInterfaces } from "node:os";
import { basename, dirname, join } from "node:path";
import { fillTemplates } from "../fill-templates.ts";
import { arriving, leaving, left, settleScript } from "../storage-scripts.ts";
import { dataFolder, provingVariable } from "./image-places.ts";
import { containerPorts, type LaunchOrder } from "./launch-order.ts";

/** As in sysexits(3): the order or the container is not as expected. */
const unusableCode = 78;
/** The largest order; a spec has a few kilobytes. */
const mostBytes = 4 * 1024 * 1024;

/** Standard input up to the end of the first line. The sender may keep it open. */
function readLine(): string {
  const chunk = Buffer.alloc(65_536);
  let read = Buffer.alloc(0);
  while (!read.includes(10) && read.length < mostBytes) {
    const bytes = readSync(0, chunk);
    if (bytes === 0) throw new Error("the control plane ended before it sent the whole order");
    read = Buffer.concat([read, chunk.subarray(0, bytes)]);
  }
  return read.subarray(0, read.indexOf(10)).toString();
}

/** The container's own address, at which the gateway reaches it. */
function ownAddress(): string {
  const outside = Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).filter(({ internal }) => !internal));
  const address = outside.find(({ family }) => family === "IPv4") ?? outside.find(({ scopeid }) => !scopeid);
  if (!address) throw new Error("the container has no network");
  return address.address;
}

function makeFolder({ absent }: LaunchOrder, files: LaunchOrder["files"]): void {
  if ([arriving, leaving, left].some((name) => existsSync(name))) {
    const { status, stderr } = spawnSync("/bin/sh", ["-c", settleScript], { encoding: "utf8" });
    if (status !== 0) throw new Error(`an interrupted replacement could not be undone: ${stderr}`);
  }
  for (const path of absent) rmSync(path, { recursive: true, force: true });
  for (const { path, content, mode } of files) {
    mkdirSync(dirname(path), { recursive: true });
    const beside = join(dirname(path), `.new-${process.pid}`);
    writeFileSync(beside, content, { mode: 0o600 });
    chmodSync(beside, mode);
    renameSync(beside, path);
  }
}

function launch(orderFile: string, folder: string): never {
  const order = JSON.parse(orderFile === "-" ? readLine() : readFileSync(orderFile, "utf8")) as LaunchOrder;
  if (process.getuid!() === 0) throw new Error("a workspace must not run as root");
  const place = { folder, address: ownAddress(), ports: containerPorts(order.ports) };
  const {
    command: [program = "", ...args],
    env,
    files,
  } = fillTemplates(order, place);
  process.umask(0o077);
  process.chdir(folder);
  makeFolder(order, files);
  accessSync(program, constants.X_OK);
  if (basename(program) !== "node") throw new Error(`${program} is not Node, and could not prove which workspace it is`);
  const command = [program, `--import=${new URL("prove-name.ts", import.meta.url).href}`, ...args];
  return process.execve!(program, command, { ...env, [provingVariable]: `${place.ports[order.ports[0]]}:${order.lineKey}` });
}

try {
  const [orderFile, folder = dataFolder] = process.argv.slice(2);
  launch(orderFile!, folder);
} catch (error) {
  console.error(`slipway: the workspace cannot be launched: ${(error as Error).message}`);
  process.exitCode = unusableCode;
}
