/**
 * The driver of this host's workspaces. It opens before the gateway, because a copied data folder must not route
 * visitors to the original's workspaces.
 */
import { join } from "node:path";
import { forgetProcesses, listAddressed } from "#domain/workspaces/observed/observation-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { createLineKeys } from "#platform/lines/line-keys.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "../settings/config.ts";
import type { Driver } from "../../provisioner/drivers/driver.ts";
import { nameImage } from "../../provisioner/drivers/container/name-image.ts";
import { createDockerDriver } from "../../provisioner/drivers/docker/create-docker-driver.ts";
import { createProcessDriver } from "../../provisioner/drivers/process/create-process-driver.ts";
import { usualZramMb } from "../../provisioner/drivers/process/freezing/set-up-zram.ts";
import { originalOf, settleCopy } from "../../provisioner/drivers/process/host/first-uid.ts";

export interface DriverParts {
  config: Config;
  db: Database;
  clock: Clock;
  secrets: Secrets;
  log: Log;
}

interface DriverChoice {
  open(parts: DriverParts): Promise<Driver>;
  /** Workspaces belong to the worker's host, so no other worker may run them. */
  isOnThisHost: boolean;
  /** Several hosts, each with its own workspaces, can share a database. */
  allowsSeveralHosts: boolean;
  /** Releases are images that must be there, and are not installed. */
  runsImages: boolean;
  /** There is no usual place for its images, so WORKSPACE_IMAGES must name one. */
  needsImages: boolean;
}

/** Where workspaces can run, by the value of DRIVER. A new driver is a folder of `apps/provisioner/drivers` and a line here. */
export const drivers = {
  process: { open: openProcessDriver, isOnThisHost: true, allowsSeveralHosts: true, runsImages: false, needsImages: false },
  docker: { open: openDockerDriver, isOnThisHost: true, allowsSeveralHosts: false, runsImages: true, needsImages: false },
  kubernetes: { open: openKubernetesDriver, isOnThisHost: false, allowsSeveralHosts: false, runsImages: true, needsImages: true },
} satisfies Record<string, DriverChoice>;

export type DriverName = keyof typeof drivers;

/** The driver named by the settings. Throws StartTrouble on a host it cannot use. */
export const createDriver = (parts: DriverParts): Promise<Driver> => drivers[parts.config.driver].open(parts);

/** Throws StartTrouble in production if the host cannot isolate workspaces. */
async function openProcessDriver({ config, db, clock, log }: DriverParts): Promise<Driver> {
  const workspacesDir = join(config.dataDir, "workspaces");
  const canSleep = config.workspaceSleep === "auto" || config.workspacePool !== 0;
  const driver = createProcessDriver({
    workspacesDir,
    places: { enginesDir: config.enginesDir, nodeBinary: process.execPath },
    limits: {
      cpus: config.workspaceCpus,
      diskMb: config.workspaceDiskMb,
      network: config.workspaceNetwork,
      nameServers: config.workspaceNameServers,
    },
    floorMb: config.hostDiskFloorMb,
    // If workspaces never sleep and none are kept ready, the host's swap is left alone.
    freezing: { zramMb: canSleep ? (config.workspaceZramMb ?? usualZramMb()) : 0, acceptsDisk: config.acceptsSwapOnDisk },
    log,
    clock,
  });
  const { isolation } = driver;
  if (!isolation.isolated) {
    if (config.production)
      throw new StartTrouble(
        `This host can't isolate workspaces: ${isolation.reason}. Customers' code does not run without isolation in production.`,
      );
    log.warn({ reason: isolation.reason }, "workspaces are not isolated on this host");
  }
  await leaveOriginal(workspacesDir, { config, db, log });
  return driver;
}

/**
 * Public resolvers, which can be reached from everywhere. A cluster's or a private network's own would reveal the names of what runs there.
 * A container asks from its own network, whose firewall blocks private ranges, so such a resolver would find no name.
 */
const publicNameServers = ["9.9.9.9", "149.112.112.112"];

/** Throws StartTrouble if the cluster cannot be used. The client is imported here, because no other process needs the memory it takes. */
async function openKubernetesDriver({ config, clock, secrets, log }: DriverParts): Promise<Driver> {
  const { images = "", digests, namespace, controlNamespace, closedRanges, canaryTargets, userNamespaces, ...classes } = config.cluster;
  const [{ KubeConfig }, { createKubernetesDriver }] = await Promise.all([
    import("@kubernetes/client-node"),
    import("../../provisioner/drivers/kubernetes/create-kubernetes-driver.ts"),
  ]);
  const access = new KubeConfig();
  try {
    access.loadFromDefault();
  } catch (cause) {
    const [reason] = (cause as Error).message.split("\n");
    throw new StartTrouble(`The access to the cluster can't be read: ${reason}. Correct KUBECONFIG and the file that it names.`, { cause });
  }
  const server = access.getCurrentCluster();
  // The client's answer when nothing names a cluster.
  if (!server || server.server === "http://localhost:8080")
    throw new StartTrouble(
      "No cluster found: neither KUBECONFIG nor a pod's service account names one. Set KUBECONFIG, or run in a pod with the service account of the chart.",
    );
  if (config.production && (server.skipTLSVerify || !server.server.startsWith("https:")))
    throw new StartTrouble(`The connection to the cluster at ${server.server} is not verified, which production does not allow.`);
  const driver = createKubernetesDriver({
    config: access,
    namespace,
    pods: {
      images,
      digests,
      cpus: config.workspaceCpus,
      diskMb: config.workspaceDiskMb,
      nameServers: config.workspaceNameServers ?? publicNameServers,
      userNamespaces,
      ...classes,
    },
    network: { controlNamespace, closedRanges, canaryTargets, isDemanded: config.production },
    places: { enginesDir: config.enginesDir, nodeBinary: process.execPath },
    lineKeys: createLineKeys(secrets),
    log,
    clock,
  });
  await driver.listRunning().catch((error: unknown) => {
    const { message, cause } = error as Error;
    // A failed fetch keeps its reason there.
    const reason = cause instanceof Error ? cause.message : message;
    throw new StartTrouble(
      `The namespace ${namespace} of the cluster at ${server.server} can't be read: ${reason}. Check that the cluster answers, that KUBERNETES_NAMESPACE exists, and that the service account has the rights of rights.yaml (docs/kubernetes.md).`,
      { cause: error },
    );
  });
  return driver;
}

/** Throws StartTrouble if the service does not answer, and in production if its containers are not isolated from the host. */
async function openDockerDriver({ config, secrets, log }: DriverParts): Promise<Driver> {
  const driver = createDockerDriver({
    socketPath: config.dockerSocket,
    imageName: (image = "") => nameImage({ images: config.cluster.images ?? "localhost/slipway", digests: config.cluster.digests }, image),
    host: { enginesDir: config.enginesDir, nodeBinary: process.execPath },
    cpus: config.workspaceCpus,
    nameServers: config.workspaceNameServers ?? publicNameServers,
    diskMb: config.workspaceDiskMb,
    isDemanded: config.production,
    lineKeys: createLineKeys(secrets),
    log,
  });
  const troubles = await driver.service.check().catch((error: unknown) => {
    throw new StartTrouble(
      `The container service at ${config.dockerSocket} can't be used: ${(error as Error).message}. Start Docker, correct DOCKER_SOCKET, or allow this user to use the socket (docs/docker.md).`,
      { cause: error },
    );
  });
  if (troubles.length > 0 && config.production)
    throw new StartTrouble(
      `This container service does not isolate workspaces from the host:\n${troubles.map((each) => `  - ${each}`).join("\n")}`,
    );
  for (const trouble of troubles) log.warn({ trouble }, "workspaces are not isolated by this container service");
  return driver;
}

/** In a copied data folder, clears the addresses in its database: the original's workspaces answer at them. */
async function leaveOriginal(workspacesDir: string, { config, db, log }: Pick<DriverParts, "config" | "db" | "log">): Promise<void> {
  const original = originalOf(workspacesDir);
  if (original === undefined) return;
  log.warn(
    { folder: workspacesDir, original },
    "this data folder is a copy of another one on this host: its workspaces get new user ids and start alongside the original's, which are not affected",
  );
  await forgetProcesses(db, await listAddressed(db, config.hostName));
  settleCopy(workspacesDir);
}
