/** How many backups and exports are worked on at once, stage by stage: what depends on a workspace holds up no other. */
import { secondMs } from "#platform/clock.ts";
import { createSlots, type Slots } from "#platform/loops/slots.ts";

export interface BackupSlots {
  /** The workspace copies itself. */
  freeze: Slots;
  /** Read, packed, encrypted, stored, read back and looked into. */
  pack: Slots;
  /** The same for steps of the reconciler: the workspace is down until they are done. */
  packForStep: Slots;
  /** A workspace gives its workflows out. */
  export: Slots;
}

/** Of one process: reconcile steps and the loop of backups share them. `packPatienceMs` is for tests. */
export const createBackupSlots = (packPatienceMs = 30 * secondMs): BackupSlots => ({
  // Within 2 s most copies are made. One that takes longer continues beside the others, for as long as a freeze may take.
  freeze: createSlots({ most: 32, patienceMs: 2 * secondMs }),
  // Each fills a core: more would take the machine from the workspaces. Two very large ones, or two on a storage that hardly moves, do not keep everybody waiting.
  pack: createSlots({ most: 2, patienceMs: packPatienceMs, mostOverdue: 2 }),
  // Of its own: in the night, when updates come, all nightly backups of the timezone may wait for the others.
  packForStep: createSlots({ most: 2, patienceMs: packPatienceMs, mostOverdue: 2 }),
  // Mostly a wait for the workspace. Each holds a file of up to 64 MB in memory, so there is an end to those that take long, too.
  export: createSlots({ most: 16, patienceMs: secondMs, mostOverdue: 32 }),
});
