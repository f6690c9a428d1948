/**
 * Where each file of a workspace is on this host. Only `data` belongs to the workspace's own user; it can neither read nor write the rest,
 * because the control plane trusts what it reads there and may be root when it does.
 */
import path from "node:path";

export interface WorkspacePaths {
  root: string;
  /** The workspace's data: `{{folder}}`, which in a sandbox has another path. */
  data: string;
  run: string;
  logs: string;
  /** Which process runs, written by the process itself before it becomes the engine. */
  record: string;
  /** Held by the running process; the kernel gives it to one process only. */
  lock: string;
  /** The pipe through which the process reports that it is ready. It inherits the open pipe, and cannot open it. */
  ready: string;
  ports: string;
  /** Exists if the workspace was made in a sandbox, and has therefore never known the path of `data`. */
  neutral: string;
  /** The address of its own network, if it has one. */
  network: string;
  /** The file system that is mounted at `data`, if the workspace has its own disk. */
  disk: string;
  /** The file system mounted at `logs`. */
  logDisk: string;
  diskLock: string;
  exit: string;
  /** Errors from before the workspace's own output begins. */
  launchLog: string;
  /** Newest first. */
  outputs: readonly [string, string, string];
}

/** The paths of one workspace; creates nothing. */
export function workspacePaths(workspacesDir: string, workspaceId: string): WorkspacePaths {
  return pathsBelow(path.join(workspacesDir, workspaceId));
}

/** Like `workspacePaths`, for a folder that was moved aside to be deleted. */
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
    ready: path.join(run, "ready"),
    ports: path.join(run, "ports.json"),
    neutral: path.join(run, "neutral"),
    network: path.join(run, "network"),
    disk: path.join(root, "disk.img"),
    logDisk: path.join(root, "logs.img"),
    diskLock: path.join(run, "disk.lock"),
    exit: path.join(run, "exit.json"),
    launchLog: path.join(run, "launch.log"),
    outputs: [path.join(logs, "output.log"), path.join(logs, "output.1.log"), path.join(logs, "output.2.log")],
  };
}
