/** The definition of a workspace's container for the service: no capabilities, no devices, nothing from the host, and its limits. */
import { containerLimits } from "../container/container-limits.ts";
import { labelsOf } from "../container/container-labels.ts";
import { containerUser, dataFolder, launchCommand } from "../container/image-places.ts";
import type { RunSpec } from "../driver.ts";
import { dataMount, namesOf, type DockerHost } from "./docker-host.ts";

/** In the service's format, with the name beside it. */
interface ContainerOptions extends Readonly<Record<string, unknown>> {
  name: string;
}

/** Marks containers that read or write a workspace's files for a moment. */
export const helperLabel = "slipway.dev/helper";

/** The service's own filter of system calls also applies, which is on unless it was turned off. */
async function confined(host: DockerHost, memoryMb: number, { isHelper }: { isHelper: boolean }): Promise<object> {
  const isPodman = await host.isPodman();
  const cpus = isHelper ? 1 : host.cpus;
  const limits = containerLimits({ memoryMb }, cpus);
  return {
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    NanoCpus: Math.round(limits.cpus * 1e9),
    PidsLimit: limits.tasks,
    Ulimits: [
      { Name: "nofile", Soft: limits.openFiles, Hard: limits.openFiles },
      { Name: "core", Soft: 0, Hard: 0 },
      // Podman sets a limit in any case, and fails if that is above its own. It counts the processes of all workspaces together.
      ...(isPodman ? [{ Name: "nproc", Soft: 32_768, Hard: 32_768 }] : []),
    ],
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    Tmpfs: { "/tmp": `rw,nosuid,nodev,size=${limits.temporaryBytes}` },
    RestartPolicy: { Name: "no" },
    IpcMode: "private",
    LogConfig: isHelper
      ? { Type: "none", Config: {} }
      : isPodman
        ? { Type: "k8s-file", Config: { "max-size": "4m" } }
        : { Type: "json-file", Config: { "max-size": "2m", "max-file": "2" } },
  };
}

/** The container of a running workspace. It is told what to launch on its standard input, so that no secret is stored with it. */
export async function workspaceOptions(
  host: DockerHost,
  spec: RunSpec,
  { image, mark }: { image: string; mark: string },
): Promise<ContainerOptions> {
  const { container, network } = namesOf(spec.workspaceId);
  return {
    name: container,
    Image: image,
    Entrypoint: launchCommand("-"),
    Cmd: [],
    User: `${containerUser}:${containerUser}`,
    WorkingDir: dataFolder,
    Labels: labelsOf(spec, mark),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    HostConfig: {
      ...(await confined(host, spec.memoryMb, { isHelper: false })),
      Binds: [dataMount(spec.workspaceId)],
      NetworkMode: network,
      ...(host.nameServers?.length && { Dns: [...host.nameServers] }),
    },
  };
}

const helperMemoryMb = 256;

/** A container that runs a shell script in the workspace's folder, with the workspace's permissions and without any network. */
export async function helperOptions(
  host: DockerHost,
  { workspaceId, image, name, script }: { workspaceId: string; image: string; name: string; script: readonly string[] },
): Promise<ContainerOptions> {
  return {
    name,
    Image: image,
    Entrypoint: ["/bin/sh", "-c"],
    Cmd: [...script],
    User: `${containerUser}:${containerUser}`,
    WorkingDir: dataFolder,
    Labels: { [helperLabel]: workspaceId },
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      ...(await confined(host, helperMemoryMb, { isHelper: true })),
      Binds: [dataMount(workspaceId)],
      NetworkMode: "none",
    },
  };
}

/** A container in place of a workspace, without storage. */
export async function canaryOptions(
  host: DockerHost,
  { name, image, network, command }: { name: string; image: string; network: string; command: readonly string[] },
): Promise<ContainerOptions> {
  return {
    name,
    Image: image,
    Entrypoint: [...command],
    Cmd: [],
    User: `${containerUser}:${containerUser}`,
    WorkingDir: "/tmp",
    Labels: { [helperLabel]: "canary" },
    HostConfig: { ...(await confined(host, helperMemoryMb, { isHelper: false })), NetworkMode: network },
  };
}
