/**
 * Docker or Podman for a test: Debian's programs in a separate network, with a separate data folder and socket. The machine's network, its
 * own Docker and its settings are not touched.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findDebianProgram, hasDebianPrograms } from "../debian-program.ts";
import { removeLeftFolders } from "../memory-folder.ts";
import { leaveDisks } from "./own-mounts.ts";
import { groupOf, removeService } from "./remove-service.ts";

const run = promisify(execFile);

export interface ContainerService {
  socketPath: string;
  /** Runs a program in the service's network, and returns what it printed. */
  inNetwork(program: string, args: readonly string[]): Promise<string>;
  /** Connects to an address in the service's network, as host:port. */
  connect(address: string): Promise<Socket>;
  /** Ends it and everything it started, and removes its data. */
  stop(): Promise<void>;
}

/** Why neither service is available on this machine; undefined if one is. */
export function whyNoContainers(): string | undefined {
  if (!hasDebianPrograms) return "Docker and Podman are tested as root on Debian";
  return existsSync("/sys/fs/cgroup/cgroup.controllers") || existsSync("/sys/fs/cgroup/memory/cgroup.procs")
    ? undefined
    : "this machine has no control groups";
}

const shared = [
  ["runc", "usr/sbin/runc"],
  ["tini", "usr/bin/tini"],
  ["iptables", "usr/sbin/xtables-nft-multi"],
  ["libxtables12", "usr/lib"],
  ["libip4tc2", "usr/lib"],
  ["libip6tc2", "usr/lib"],
  ["libnftnl11", "usr/lib"],
  ["libmnl0", "usr/lib"],
  ["libnetfilter-conntrack3", "usr/lib"],
  ["libnfnetlink0", "usr/lib"],
] as const;

const packages = {
  docker: [["docker.io", "usr/sbin/dockerd"], ["docker.io", "usr/bin/docker"], ["containerd", "usr/bin/containerd"], ...shared],
  podman: [
    ["podman", "usr/bin/podman"],
    ["conmon", "usr/bin/conmon"],
    ["netavark", "usr/lib/podman/netavark"],
    ["aardvark-dns", "usr/lib/podman/aardvark-dns"],
    ["libgpgme11", "usr/lib"],
    ["libassuan0", "usr/lib"],
    ["libsubid4", "usr/lib"],
    ["libyajl2", "usr/lib"],
    ...shared,
  ],
} as const;

const readyTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;

/** In a separate network and mount namespace. Users of containers begin where no user of this machine or of another test is. */
const dockerScript = `
mount --make-rprivate /
${leaveDisks}ip link set lo up
printf 'daemon:700000000:65536\\n' > "$1/subordinate"
mount --bind "$1/subordinate" /etc/subuid
mount --bind "$1/subordinate" /etc/subgid
echo 1 > /proc/sys/net/ipv4/ip_forward
exec dockerd --data-root "$1/data" --exec-root "$1/run" --pidfile "$1/pid" --host "unix://$1/socket" --userns-remap daemon \\
  --cgroup-parent "$2" --exec-opt native.cgroupdriver=cgroupfs --default-address-pool base=10.231.0.0/16,size=28 --bip 10.231.255.1/28
`;

const podmanScript = `
mount --make-rprivate /
${leaveDisks}ip link set lo up
mount -t tmpfs none /etc/containers 2>/dev/null || { mkdir -p /etc/containers; mount -t tmpfs none /etc/containers; }
printf '{"default":[{"type":"insecureAcceptAnything"}]}' > /etc/containers/policy.json
: > /etc/containers/registries.conf
echo 1 > /proc/sys/net/ipv4/ip_forward
# At a container's end conmon runs podman, without the environment that names its libraries.
ldconfig -X -C "$1/ld.so.cache" $(echo "$LD_LIBRARY_PATH" | tr : ' ')
mount --bind "$1/ld.so.cache" /etc/ld.so.cache
exec podman system service --time=0 "unix://$1/socket"
`;

const podmanSettings = (folder: string, { bins, cgroup }: { bins: string; cgroup: string }) => `
[containers]
cgroup_parent = "${cgroup}"
default_ulimits = []
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
helper_binaries_dir = ["${bins}"]
conmon_path = ["${bins}/conmon"]
runtime = "runc"
tmp_dir = "${folder}/run"
[engine.runtimes]
runc = ["${bins}/runc"]
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
default_subnet_pools = [{"base" = "10.232.0.0/16", "size" = 28}]
`;

/** Starts the service; `archives` are images it has from the beginning. */
export async function startContainerService(name: keyof typeof packages, archives: readonly string[]): Promise<ContainerService> {
  const prefix = `slipway-${name}-`;
  await removeLeftFolders(prefix, removeService);
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // The users that containers are remapped to must get through.
  await chmod(folder, 0o711);
  const bins = join(folder, "bin");
  await mkdir(bins);
  const libraries = new Set<string>();
  for (const [packageName, program] of packages[name]) {
    const path = await findDebianProgram(packageName, program);
    if (program === "usr/lib") libraries.add(join(path, `${machine}-linux-gnu`));
    else for (const each of readdirSync(dirname(path))) await symlink(join(dirname(path), each), join(bins, each)).catch(() => undefined);
    if (packageName === "iptables") for (const each of iptables) await symlink(path, join(bins, each)).catch(() => undefined);
  }
  const cgroup = groupOf(folder);
  const extensions = join(await findDebianProgram("iptables", "usr/lib"), `${machine}-linux-gnu`, "xtables");
  const env: NodeJS.ProcessEnv = {
    PATH: `${bins}:/usr/sbin:/usr/bin:/sbin:/bin`,
    LD_LIBRARY_PATH: [...libraries].join(":"),
    XTABLES_LIBDIR: extensions,
    HOME: folder,
    CONTAINERS_CONF: join(folder, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
  };
  await writeFile(join(folder, "containers.conf"), podmanSettings(folder, { bins, cgroup }));
  await writeFile(
    join(folder, "storage.conf"),
    `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/data"\nrunroot = "${folder}/run/storage"\n`,
  );
  const script = `set -e\n${name === "docker" ? dockerScript : podmanScript}`;
  const child = spawn("unshare", ["--net", "--mount", "/bin/sh", "-c", script, "sh", folder, cgroup], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-8_000)));
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const socketPath = join(folder, "socket");
  const inNetwork = async (program: string, args: readonly string[]) =>
    (await run("nsenter", [`--net=/proc/${child.pid}/ns/net`, program, ...args], { env })).stdout;
  const stop = async () => {
    if (name === "podman")
      await run("podman", ["--url", `unix://${socketPath}`, "stop", "--all", "--time", "0"], { env }).catch(() => undefined);
    proxy?.kill("SIGKILL");
    child.kill("SIGTERM");
    await Promise.race([ended, sleep(stopTimeoutMs)]);
    child.kill("SIGKILL");
    await removeService(folder);
  };
  let proxy: ReturnType<typeof spawn> | undefined;
  try {
    const deadline = performance.now() + readyTimeoutMs;
    while (!(await answers(socketPath))) {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${name} did not start: ${said}`);
      await sleep(50);
    }
    for (const archive of archives) await load(socketPath, archive);
    const proxySocket = join(folder, "proxy");
    proxy = spawn("nsenter", [
      `--net=/proc/${child.pid}/ns/net`,
      process.execPath,
      join(import.meta.dirname, "network-proxy.mjs"),
      proxySocket,
    ]);
    while (!existsSync(proxySocket)) await sleep(20);
    return { socketPath, inNetwork, stop, connect: (address) => connectThrough(proxySocket, address) };
  } catch (error) {
    await stop();
    throw error;
  }
}

const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
const iptables = ["iptables", "iptables-save", "iptables-restore", "ip6tables", "ip6tables-save", "ip6tables-restore"];

function ask(
  socketPath: string,
  options: { method?: string; path: string; headers?: Record<string, string> },
  body?: NodeJS.ReadableStream | string,
) {
  return new Promise<{ ok: boolean; body: string }>((resolve, reject) => {
    const asked = request({ socketPath, ...options }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ ok: response.statusCode! < 300, body: text });
    }).on("error", reject);
    if (typeof body === "object") body.pipe(asked);
    else asked.end(body);
  });
}

const answers = (socketPath: string): Promise<boolean> =>
  ask(socketPath, { path: "/_ping" }).then(
    ({ ok }) => ok,
    () => false,
  );

async function load(socketPath: string, archive: string): Promise<void> {
  const headers = { "content-type": "application/x-tar" };
  const { ok, body } = await ask(socketPath, { method: "POST", path: "/images/load", headers }, createReadStream(archive));
  if (!ok) throw new Error(`the image could not be loaded: ${body}`);
}

/** Rejects if nothing listens there. */
async function connectThrough(proxySocket: string, address: string): Promise<Socket> {
  const socket = connect({ path: proxySocket, allowHalfOpen: true });
  socket.write(`${address}\n`);
  const [said] = (await Promise.race([once(socket, "data"), once(socket, "end")])) as [Buffer?];
  if (said === undefined) {
    socket.destroy();
    throw new Error(`nothing listens at ${address}`);
  }
  return socket.pause();
}
