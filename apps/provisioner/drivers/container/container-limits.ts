/** What one workspace's container may use, whatever runs it. */
import type { RunSpec } from "../driver.ts";
import { mostOpenFiles, mostTasks } from "../workspace-bounds.ts";

interface ContainerLimits {
  memoryBytes: number;
  /** Processors; 1.5 is one and a half. */
  cpus: number;
  /** Processes and threads. */
  tasks: number;
  /** Files that one process may have open. */
  openFiles: number;
  /** The size of /tmp, which is memory. */
  temporaryBytes: number;
}

const megabyte = 1024 * 1024;

/** Its limits under a plan with so much memory. */
export const containerLimits = ({ memoryMb }: Pick<RunSpec, "memoryMb">, cpus: number): ContainerLimits => ({
  memoryBytes: memoryMb * megabyte,
  cpus,
  tasks: mostTasks,
  openFiles: mostOpenFiles,
  temporaryBytes: 64 * megabyte,
});
