/** How many backups and exports run at the same time, stage by stage, so that a slow workspace does not delay others. */
import { secondMs } from "#platform/clock.ts";
import { createSlots, type Slots } from "#platform/loops/slots.ts";

export interface BackupSlots {
  /** The workspace makes its copy. */
  freeze: Slots;
  /** The copy is read, packed, encrypted, stored, read back and inspected. */
  pack: Slots;
  /** Packing for steps of the reconciler, during which the workspace is offline. */
  packForStep: Slots;
  /** A workspace exports its workflows. */
  export: Slots;
}

/** The slots of one process, shared by reconcile steps and the backup loop. `packPatienceMs` is for tests. */
export const createBackupSlots = (packPatienceMs = 30 * secondMs): BackupSlots => ({
  // Most copies take under 2 s. Slower ones continue without a slot, until the limit of a freeze.
  freeze: createSlots({ most: 32, patienceMs: 2 * secondMs }),
  // Each keeps a core busy: more would slow down the workspaces. Two very large ones, or two on slow storage, do not delay the rest.
  pack: createSlots({ most: 2, patienceMs: packPatienceMs, mostOverdue: 2 }),
  // Separate, because all nightly backups of a timezone may be queued at the time of nightly updates.
  packForStep: createSlots({ most: 2, patienceMs: packPatienceMs, mostOverdue: 2 }),
  // Mostly waits for the workspace. Each has a file of up to 64 MB in memory, so slow ones are limited, too.
  export: createSlots({ most: 16, patienceMs: secondMs, mostOverdue: 32 }),
});
