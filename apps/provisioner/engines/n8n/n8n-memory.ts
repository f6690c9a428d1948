/** Divides a workspace's memory between n8n, the process that runs its Code nodes, and memory outside their heaps. */

export interface N8nMemory {
  /** The heap of n8n itself. */
  mainHeapMb: number;
  /** The heap of the process that runs Code nodes. */
  runnerHeapMb: number;
  /** The largest message between the two: what one Code node can pass at once. */
  messageMb: number;
}

/** Below 320, n8n dies at its start; below 384, it is slow. */
const smallestMainHeapMb = 384;
const smallestRunnerHeapMb = 96;
/** Programs, buffers and threads of the two processes, measured idle: 150 and 70. */
const outsideHeapsMb = 220;
/** A message is in memory as data, text and frames, first in one process and then in the other. */
const copiesOfAMessage = 6;
const shareOfAMessage = 1 / 32;
const smallestMessageMb = 16;
const mainShareOfHeaps = 0.75;

/** @param memoryMb the limit of the workspace's memory group. */
export function dealMemory(memoryMb: number): N8nMemory {
  const messageMb = Math.max(smallestMessageMb, Math.floor(memoryMb * shareOfAMessage));
  const heapsMb = memoryMb - outsideHeapsMb - copiesOfAMessage * messageMb;
  return {
    mainHeapMb: Math.max(smallestMainHeapMb, Math.floor(heapsMb * mainShareOfHeaps)),
    runnerHeapMb: Math.max(smallestRunnerHeapMb, Math.floor(heapsMb * (1 - mainShareOfHeaps))),
    messageMb,
  };
}
