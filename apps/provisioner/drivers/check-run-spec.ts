/** Checks that every driver makes before it touches anything: a spec's values end up in the file system and in a shell's environment. */
import { DriverFailure, type RunSpec, type StoragePlace } from "./driver.ts";

const workspaceId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const portName = /^[a-z][a-z0-9_-]{0,31}$/;
/** Without a registry: the operator chooses that. */
const imageName = /^[a-z0-9][a-z0-9-]{0,63}:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that affect a dynamic loader or a shell: a driver's own programs start with this environment before they drop privileges. */
const loaderName = /^(?:LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|PS4|IFS)$/;
/** Keeps user ids, to which this number is added, below 2^31, the limit of old tools. */
const largestNumber = 1_000_000_000;

/** Refuses an id that could name another folder, with a DriverFailure. */
export function checkWorkspaceId(id: string): void {
  if (!workspaceId.test(id)) refuse(`"${id}" cannot be the id of a workspace`);
}

/** Refuses a spec that could reach outside the workspace or cannot be run, with a DriverFailure that names the field. */
export function checkRunSpec(spec: RunSpec): void {
  checkWorkspaceId(spec.workspaceId);
  if (!isWhole(spec.workspaceNumber, 0, largestNumber))
    refuse(`workspaceNumber ${spec.workspaceNumber} is not a whole number up to ${largestNumber}`);
  if (!isWhole(spec.stopTimeoutMs, 0, 600_000)) refuse(`stopTimeoutMs ${spec.stopTimeoutMs} is not between 0 and 600000`);
  if (!isWhole(spec.memoryMb, 1, 1_048_576)) refuse(`memoryMb ${spec.memoryMb} is not between 1 and 1048576`);
  if (spec.command.length === 0 || !spec.command[0]?.startsWith("/")) refuse("command must begin with the absolute path of a program");
  if (spec.command.some((part) => part.includes("\0"))) refuse("command contains a null character");
  checkEnv(spec.env);
  checkPorts(spec.ports);
  for (const file of spec.files) checkFile(file);
  for (const path of spec.absent ?? []) checkPath(path);
  if (spec.image !== undefined && !imageName.test(spec.image)) refuse(`"${spec.image}" cannot be the name of an image`);
}

/** Refuses a place or paths that lead outside the workspace's folder, with a DriverFailure. */
export function checkStorage({ workspaceId: id, workspaceNumber }: StoragePlace, paths: readonly string[]): void {
  checkWorkspaceId(id);
  if (!isWhole(workspaceNumber, 0, largestNumber))
    refuse(`workspaceNumber ${workspaceNumber} is not a whole number up to ${largestNumber}`);
  for (const path of paths) checkPath(path);
}

function checkEnv(env: RunSpec["env"]): void {
  for (const [name, value] of Object.entries(env)) {
    if (!variableName.test(name)) refuse(`"${name}" cannot be the name of an environment variable`);
    if (loaderName.test(name)) refuse(`the environment variable ${name} is not allowed: it changes how programs are loaded`);
    if (value.includes("\0")) refuse(`the environment variable ${name} contains a null character`);
  }
}

function checkPorts(ports: RunSpec["ports"]): void {
  if (ports.length === 0) refuse("a workspace needs at least one port");
  if (new Set(ports).size !== ports.length) refuse("two ports have the same name");
  for (const name of ports) if (!portName.test(name)) refuse(`"${name}" cannot be the name of a port`);
}

function checkFile(file: RunSpec["files"][number]): void {
  checkPath(file.path);
  if (!isWhole(file.mode, 0, 0o777)) refuse(`the mode of the file "${file.path}" is not between 0 and 0o777`);
}

function checkPath(path: string): void {
  const escapes =
    path.includes("\0") || path.startsWith("-") || path.split("/").some((part) => part === "" || part === "." || part === "..");
  if (escapes) refuse(`the file path "${path}" does not stay below the workspace's folder`);
}

const isWhole = (value: number, from: number, to: number): boolean => Number.isSafeInteger(value) && value >= from && value <= to;

function refuse(why: string): never {
  throw new DriverFailure("start_failed", why);
}
