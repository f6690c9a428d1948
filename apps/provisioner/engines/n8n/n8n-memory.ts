/** Divides a workspace's memory between n8n, the process that runs its Code nodes, and memory outside their heaps. */

export interface N8nMemory {
  /** The heap of n8n itself. */
  mainHeapMb: number;
  /** The heap of the process that runs Code nodes. */
  runnerHeapMb: number;
  /** The largest message between the two: what one Code node can pass at once. */
  messageMb: number;
  /** What the process that runs Code nodes may take beyond what it has as it starts; the rest is n8n's. */
  runnerMb: number;
}

/** Below 320, n8n dies at its start; below 384, it is slow. */
const smallestMainHeapMb = 384;
const smallestRunnerHeapMb = 96;
/** Programs, buffers and threads of the two processes, measured idle. */
const outsideMainHeapMb = 150;
const outsideRunnerHeapMb = 70;
/**
 * A message is in memory as data, text and frames, first in one process and then in the other. While files of 16 MB arrive, n8n in 1 GB
 * takes up to 721 MB (2.40.7), which is less than its heap, what is outside of it, and four of the largest messages.
 */
const copiesInMain = 4;
const copiesInRunner = 2;
const shareOfAMessage = 1 / 32;
const smallestMessageMb = 16;
const mainShareOfHeaps = 0.75;

/** @param memoryMb the limit of the workspace's memory group. */
export function dealMemory(memoryMb: number): N8nMemory {
  const messageMb = Math.max(smallestMessageMb, Math.floor(memoryMb * shareOfAMessage));
  const heapsMb = memoryMb - outsideMainHeapMb - outsideRunnerHeapMb - (copiesInMain + copiesInRunner) * messageMb;
  const runnerHeapMb = Math.max(smallestRunnerHeapMb, Math.floor(heapsMb * (1 - mainShareOfHeaps)));
  return {
    mainHeapMb: Math.max(smallestMainHeapMb, Math.floor(heapsMb * mainShareOfHeaps)),
    runnerHeapMb,
    messageMb,
    runnerMb: runnerHeapMb + outsideRunnerHeapMb + copiesInRunner * messageMb,
  };
}
