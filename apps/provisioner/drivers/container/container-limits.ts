/** What one workspace's container may use, whatever runs it. */
import type { RunSpec } from "../driver.ts";

interface ContainerLimits {
  memoryBytes: number;
  /** Processors; 1.5 is one and a half. */
  cpus: number;
  /** Processes and threads: n8n has about 40, the launcher and tini a dozen. */
  tasks: number;
  /** Files that one process may have open; n8n uses about 60. */
  openFiles: number;
  /** The size of /tmp, which is memory. */
  temporaryBytes: number;
}

const megabyte = 1024 * 1024;

/**
 * Its limits under a plan with so much memory. Numbers that do not depend on the plan are the same as for workspaces that are processes.
 */
export const containerLimits = ({ memoryMb }: Pick<RunSpec, "memoryMb">, cpus: number): ContainerLimits => ({
  memoryBytes: memoryMb * megabyte,
  cpus,
  tasks: 512,
  openFiles: 16_384,
  temporaryBytes: 64 * megabyte,
});
