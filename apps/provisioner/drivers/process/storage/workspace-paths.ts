/**
 * What lies where on this host. Only `data` belongs to the workspace's own user; it can neither read nor write the
 * rest, because the control plane believes what it reads there and may be root when it does.
 */
import path from "node:path";

export interface WorkspacePaths {
  root: string;
  /** `{{folder}}`: all that the workspace stores. */
  data: string;
  run: string;
  logs: string;
  /** Which process this is, written by the process itself before it becomes the engine. */
  record: string;
  /** Held by the running process; the kernel lets only one have it. */
  lock: string;
  ports: string;
  /** The address of its own network, where it has one. */
  network: string;
  /** The file system that is mounted at `data`, where it has a disk of its own. */
  disk: string;
  /** The one at `logs`. */
  logDisk: string;
  diskLock: string;
  exit: string;
  /** What went wrong before the workspace's own output begins. */
  launchLog: string;
  /** Newest first. */
  outputs: readonly [string, string, string];
}

/** The paths of one workspace; creates nothing. */
export function workspacePaths(workspacesDir: string, workspaceId: string): WorkspacePaths {
  return pathsBelow(path.join(workspacesDir, workspaceId));
}

/** The same, for a folder that has been moved aside to be deleted. */
export function pathsBelow(root: string): WorkspacePaths {
  const run = path.join(root, "run");
  const logs = path.join(root, "logs");
  return {
    root,
    data: path.join(root, "data"),
    run,
    logs,
    record: path.join(run, "process"),
    lock: path.join(run, "lock"),
    ports: path.join(run, "ports.json"),
    network: path.join(run, "network"),
    disk: path.join(root, "disk.img"),
    logDisk: path.join(root, "logs.img"),
    diskLock: path.join(run, "disk.lock"),
    exit: path.join(run, "exit.json"),
    launchLog: path.join(run, "launch.log"),
    outputs: [path.join(logs, "output.log"), path.join(logs, "output.1.log"), path.join(logs, "output.2.log")],
  };
}
