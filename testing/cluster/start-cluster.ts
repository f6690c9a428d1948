/** A real Kubernetes with real nodes on loopback, for the tests of one file: API server, controllers, scheduler, kubelets on containerd. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, open, readdir, readFile, readlink, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { launcherFiles } from "#apps/provisioner/drivers/container/image-places.ts";
import { leaveDisks } from "../containers/own-mounts.ts";
import { clusterDir, findClusterTools, type ClusterTools } from "./cluster-tools.ts";
import { makeWorkspaceImage } from "./workspace-image.ts";

const run = promisify(execFile);

/** The nodes' addresses and ports are fixed, so a machine runs one such cluster at a time: the process that listens here has it. */
const turnPort = 3508;
/** Waits for the other file's cluster, or that of another run: on a busy machine the driver's takes twelve minutes. */
const turnTimeoutMs = 30 * 60_000;
const readyTimeoutMs = 5 * 60_000;
/** For a hook that starts a cluster: waiting for its turn, fetching programs and images that a new machine lacks, and the start. */
export const clusterHookMs = turnTimeoutMs + 10 * 60_000;
/** Fixed, so that leftovers of a killed run are found and ended by the next one. */
const folder = "/tmp/slipway-test-cluster";
const settings = join(folder, "control");
const nodesDir = join(folder, "nodes");

/** Where the first node's kubelet listens, which pods can reach here. */
export const nodeKubelet = "10.99.0.1:3521";
/** In the registry `localhost`, and the same again by another name. */
export const workspaceImage = "workspace:1";
export const otherWorkspaceImage = "workspace:2";
/** In that image. */
export const reportingWorkspace = "/opt/slipway/reporting-workspace.mjs";
const root = join(import.meta.dirname, "../..");
const imageFiles = {
  [reportingWorkspace]: join(root, "testing/drivers/reporting-workspace.mjs"),
  "/opt/slipway/package.json": join(root, "package.json"),
  ...Object.fromEntries(launcherFiles.map((file) => [`/opt/slipway/drivers/${file}`, join(root, "apps/provisioner/drivers", file)])),
};

export interface TestCluster extends AsyncDisposable {
  config: KubeConfig;
  core: CoreV1Api;
  /** Of both images, `sha256:…`: the nodes have them by it as well. */
  imageDigest: string;
  folder: string;
  /** Kills a node's kubelet, so that the node is lost to the control plane as without its network; its pods keep running. */
  killKubelet(node: string): Promise<void>;
}

interface ClusterOptions {
  nodes?: number;
  /**
   * Puts the pods of all nodes on one bridge, so that they reach each other. Otherwise this machine forwards packets between the nodes'
   * bridges, which the firewall of DRIVER=process refuses.
   */
  oneNetwork?: boolean;
  /**
   * Writes archives into this folder: the images that each node has. By default that is `workspaceImage`, the launcher and the reporting
   * workspace.
   */
  writeImages?: (folder: string) => Promise<void>;
}

export async function startCluster({ nodes = 1, oneNetwork = false, writeImages }: ClusterOptions = {}): Promise<TestCluster> {
  const images = await stageBeside(`${folder}-images`);
  const turn = await writeThenTakeTurn(images, writeImages);
  try {
    const tools = await findClusterTools();
    const env = { ...process.env, PATH: [...tools.binDirs, process.env["PATH"]].join(":") };
    await endCluster(env);
    const othersNetworks = await listPodNetworks();
    await mkdir(folder);
    await rename(images, nodesDir);
    if (!writeImages) await makeWorkspaceImage(join(nodesDir, "workspace.tar"), `localhost/${workspaceImage}`, tools.tini, imageFiles);
    await startControl(env);
    await startNodes(nodes, oneNetwork, tools, env);
    const imageDigest = writeImages ? "" : await nameImageAgain(nodes, env);
    const config = new KubeConfig();
    config.loadFromFile(join(settings, "kubeconfig"));
    const core = config.makeApiClient(CoreV1Api);
    await untilReady(core, nodes);
    return {
      config,
      core,
      imageDigest,
      folder,
      killKubelet: async (node) => void process.kill(await pidIn(join(nodesDir, node, "kubelet.pid")), "SIGKILL"),
      async [Symbol.asyncDispose]() {
        await endCluster(env);
        await removePodNetworks(othersNetworks);
        turn.close();
      },
    };
  } catch (error) {
    turn.close();
    throw error;
  }
}

/** In this order, because writing images takes a minute, in which another file still has its cluster. */
async function writeThenTakeTurn(images: string, writeImages: ClusterOptions["writeImages"]): Promise<Server> {
  try {
    await chmod(images, 0o755);
    await writeImages?.(images);
    return await takeTurn();
  } catch (error) {
    await rm(images, { recursive: true, force: true });
    throw error;
  }
}

async function takeTurn(): Promise<Server> {
  for (const deadline = performance.now() + turnTimeoutMs; ;) {
    const server = createServer((socket) => socket.destroy());
    server.listen(turnPort, "127.0.0.1");
    try {
      await once(server, "listening");
      return server.unref();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(1_000);
    }
  }
}

/** Pods with a token trust the API's certificate. */
async function startControl(env: NodeJS.ProcessEnv): Promise<void> {
  const path = join(clusterDir, "up");
  const key = "--service-account-private-key-file=pki/sa.key";
  const script = (await readFile(path, "utf8")).replace(key, `${key} --root-ca-file=pki/apiserver.crt`);
  await runScript(path, [settings], env, ["-c", script]);
}

/**
 * As many calls a second as a kubelet of a newer release makes. With the five of this one, a busy node deletes a container before it has
 * reported how it ended.
 */
const kubeletCalls = "kubeAPIQPS: 50\nkubeAPIBurst: 100\n";

/**
 * A kubelet deletes every folder of /var/log/pods that is not of a pod of its own, once a minute. So each node has another folder there, in
 * a separate mount namespace.
 */
const withOwnLogs = (script: string): string =>
  script
    .replace('mkdir -p "$d/cni"', 'mkdir -p /var/log/pods "$d/logs" "$d/cni"')
    .replace(
      'containerd -c "$d/containerd.toml"',
      `unshare --mount --propagation slave sh -c '${leaveDisks}mount --bind "$0/logs" /var/log/pods && exec containerd -c "$0/containerd.toml"' "$d"`,
    )
    .replace('"$bin/kubelet" --config', 'nsenter --mount --target "$(cat "$d/containerd.pid")" "$bin/kubelet" --config');

/** Pods need no way out of this machine, so the bridge leaves its firewall alone. */
async function startNodes(nodes: number, oneNetwork: boolean, tools: ClusterTools, env: NodeJS.ProcessEnv): Promise<void> {
  const path = join(clusterDir, "node-up");
  const own = withOwnLogs(await readFile(path, "utf8"))
    .replace("/usr/lib/cni", tools.cniDir)
    .replace('"ipMasq":true', '"ipMasq":false')
    .replace("failSwapOn:", `${kubeletCalls}failSwapOn:`);
  const script = oneNetwork ? shareBridge(own) : own;
  await runScript(path, [settings, nodesDir, String(nodes)], env, ["-c", script]);
}

/** The bridge is the first node's, and each node has its own addresses in it. */
const shareBridge = (script: string): string =>
  script
    .replace('"bridge":"slipcni$n"', '"bridge":"slipcni1"')
    .replace('"subnet":"10.244.$n.0/24"', '"subnet":"10.244.0.0/16","rangeStart":"10.244.$n.10","rangeEnd":"10.244.$n.250"');

/** As two images of the registry `localhost`, and by their digest, which it returns. */
async function nameImageAgain(nodes: number, env: NodeJS.ProcessEnv): Promise<string> {
  let digest = "";
  for (let node = 1; node <= nodes; node += 1) {
    const socket = join(nodesDir, `node${node}/run/containerd.sock`);
    const images = (...args: string[]) => run("ctr", ["-a", socket, "-n", "k8s.io", "images", ...args], { env });
    digest = / (sha256:[0-9a-f]{64}) /.exec((await images("list", `name==localhost/${workspaceImage}`)).stdout)![1]!;
    for (const other of [otherWorkspaceImage, `workspace@${digest}`])
      await images("tag", `localhost/${workspaceImage}`, `localhost/${other}`);
  }
  return digest;
}

async function untilReady(core: CoreV1Api, nodes: number): Promise<void> {
  for (const deadline = performance.now() + readyTimeoutMs; ; await sleep(500)) {
    const { items } = await core.listNode();
    const ready = items.filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"));
    if (ready.length === nodes) return;
    if (performance.now() > deadline) throw new Error(`${ready.length} of ${nodes} nodes are ready; see ${nodesDir}/*/kubelet.log`);
  }
}

/** Also of a run that was killed. Does nothing if there is nothing. */
async function endCluster(env: NodeJS.ProcessEnv): Promise<void> {
  const nodes = (await readdir(nodesDir).catch(() => [])).filter((name) => name.startsWith("node"));
  const pidFiles = [
    ...nodes.flatMap((node) => ["kubelet.pid", "containerd.pid"].map((name) => join(nodesDir, node, name))),
    join(nodesDir, "scheduler.pid"),
    ...(await readdir(settings).catch(() => [])).filter((name) => name.endsWith(".pid")).map((name) => join(settings, name)),
  ];
  // After a run long past, a number may be another program's by now.
  for (const file of pidFiles) if (!(await isOurs(file))) await rm(file, { force: true });
  if (nodes.length > 0) await runScript("node-down", [nodesDir], env).catch(() => undefined);
  for (const file of pidFiles) {
    if (await isOurs(file)) process.kill(await pidIn(file), "SIGKILL");
    while (await isOurs(file)) await sleep(50);
  }
  await rm(folder, { recursive: true, force: true });
}

const pidIn = async (file: string): Promise<number> => Number(await readFile(file, "utf8"));

/** By its arguments or its working folder: the controllers' arguments name no folder. */
async function isOurs(pidFile: string): Promise<boolean> {
  const process = `/proc/${await pidIn(pidFile).catch(() => 0)}`;
  const said = await Promise.all([readFile(`${process}/cmdline`, "utf8").catch(() => ""), readlink(`${process}/cwd`).catch(() => "")]);
  return said.some((text) => text.includes(folder));
}

/** Of pods that were killed with their node, which leaves their networks. */
const podNetworks = "/var/run/netns";

const listPodNetworks = async (): Promise<string[]> =>
  (await readdir(podNetworks).catch(() => [])).filter((name) => name.startsWith("cni-"));

async function removePodNetworks(except: readonly string[]): Promise<void> {
  for (const name of await listPodNetworks()) {
    if (except.includes(name)) continue;
    await run("umount", [join(podNetworks, name)]).catch(() => undefined);
    await rm(join(podNetworks, name), { force: true });
  }
}

/** Processes that a script starts keep its output open, so it is a file: a pipe would never end. */
async function runScript(name: string, args: readonly string[], env: NodeJS.ProcessEnv, how: readonly string[] = []): Promise<void> {
  await mkdir(folder, { recursive: true });
  const log = join(folder, "start.log");
  const output = await open(log, "a");
  const child = spawn("/bin/bash", [...how, resolve(clusterDir, name), ...args], { env, stdio: ["ignore", output.fd, output.fd] });
  const [code] = (await once(child, "exit")) as [number | null];
  await output.close();
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${(await readFile(log, "utf8")).slice(-2_000)}`);
}
