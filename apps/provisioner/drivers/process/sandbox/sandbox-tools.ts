/**
 * The programs that make a sandbox. Each is tried once exactly as it will be used: a program that exists may still not work on this host.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { findProgram, trialTimeoutMs, tryAgain, userOptions } from "../host/host-tools.ts";
import { findControllers, type Controllers } from "./control-groups/find-controllers.ts";
import { knowsCallsOf } from "./filter-program.ts";
import { systemCallFilter } from "./system-calls.ts";

export interface SandboxTools {
  bwrap: string;
  nsenter: string;
  ip: string;
  nft: string;
  flock: string;
  mount: string;
  umount: string;
  mkfs: string;
  resize: string;
  tune: string;
  fsck: string;
  losetup: string;
  controllers: Controllers;
}

interface SandboxSearch {
  tools?: SandboxTools;
  /** What is missing, as the end of a sentence for the operator. */
  missing?: string;
}

/** Where Debian installs them; the last word is the package. */
const programs = {
  bwrap: ["bwrap", "bubblewrap"],
  nsenter: ["nsenter", "util-linux"],
  ip: ["ip", "iproute2"],
  nft: ["nft", "nftables"],
  flock: ["flock", "util-linux"],
  mount: ["mount", "mount"],
  umount: ["umount", "mount"],
  mkfs: ["mkfs.ext4", "e2fsprogs"],
  resize: ["resize2fs", "e2fsprogs"],
  tune: ["tune2fs", "e2fsprogs"],
  fsck: ["e2fsck", "e2fsprogs"],
  losetup: ["losetup", "mount"],
} as const;

/** An unused user id, for the trial: some hosts have real processes and files of 65534. */
const trialUid = 199_999;

let found: SandboxSearch | undefined;

/** Checks once, as root on Linux, and caches the result. */
export function findSandboxTools(): SandboxSearch {
  found ??= lookForTools();
  return found;
}

function lookForTools(): SandboxSearch {
  const places = Object.entries(programs).map(([key, [name, debianPackage]]) => ({ key, name, debianPackage, file: findProgram(name) }));
  const absent = places.filter(({ file }) => file === undefined);
  if (absent.length > 0) {
    const packages = [...new Set(absent.map((each) => each.debianPackage))];
    return { missing: `${absent.map(({ name }) => name).join(", ")} is missing (Debian: apt-get install ${packages.join(" ")})` };
  }
  if (!knowsCallsOf(process.arch)) return { missing: `there is no filter of system calls for ${process.arch}` };
  const files = Object.fromEntries(places.map(({ key, file }) => [key, file]));
  let tools: SandboxTools | undefined;
  const trouble = tryAgain(() => {
    const controllers = findControllers();
    if (controllers === undefined) return "control groups for memory, cpu and pids cannot be written below /sys/fs/cgroup";
    tools = { ...files, controllers } as unknown as SandboxTools;
    return tryUserNamespace(tools) ?? tryNetwork(tools) ?? tryFirewall(tools) ?? tryLoop();
  });
  return trouble === undefined ? { tools: tools! } : { missing: trouble };
}

function tryUserNamespace({ bwrap }: SandboxTools): string | undefined {
  const said = run(
    "/usr/bin/env",
    [
      "setpriv",
      ...userOptions(trialUid),
      bwrap,
      "--seccomp",
      "0",
      "--unshare-user",
      "--disable-userns",
      "--unshare-pid",
      "--ro-bind",
      "/",
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "true",
    ],
    systemCallFilter(process.arch),
  );
  return said && `bubblewrap cannot make namespaces here: ${said}`;
}

/** Makes and removes a network namespace with a pair of interfaces. */
function tryNetwork({ ip }: SandboxTools): string | undefined {
  const name = `slwtry${process.pid}`;
  const said = run(ip, ["netns", "add", name]) ?? run(ip, ["link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name]);
  run(ip, ["link", "delete", name]);
  run(ip, ["netns", "delete", name]);
  return said && `network namespaces cannot be made here: ${said}`;
}

function tryFirewall({ nft }: SandboxTools): string | undefined {
  const said = run(nft, ["list", "tables"]);
  return said && `nftables does not work here: ${said}`;
}

function tryLoop(): string | undefined {
  try {
    accessSync("/dev/loop-control", constants.W_OK);
    return undefined;
  } catch {
    return "loop devices, which hold a workspace's disk, cannot be used here";
  }
}

/** Undefined if the program succeeded; otherwise its message. */
function run(program: string, args: readonly string[], input?: Buffer): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, {
    timeout: trialTimeoutMs,
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
    input,
    stdio: [input ? "pipe" : "ignore", "ignore", "pipe"],
  });
  if (status === 0) return undefined;
  return (stderr?.toString().trim() || error?.message || `it ended with ${status}`).split("\n").at(-1);
}
