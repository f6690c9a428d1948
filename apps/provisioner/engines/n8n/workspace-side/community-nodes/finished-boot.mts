/** Marks that n8n has started, and lists the community nodes that were left out: see boot-guard.mts. */
import { readBoots, writeBoots } from "./boots.mts";
import { nodesIn, type InstalledNodes } from "./nodes-in.mts";

/** Returns the nodes that this start was the first to leave out, as "name version". */
export function finishBoot(folder: string): string[] {
  const { heldBack } = readBoots(folder);
  writeBoots(folder, { unfinished: 0, heldBack });
  if (heldBack === undefined || process.env["SLIPWAY_NODES_HELD_BACK"] !== "now") return [];
  // Unreadable if npm was killed while writing it.
  return nodesIn(heldBack)?.map(({ name, version }) => `${name} ${version}`) ?? ["an unreadable list"];
}

/** The nodes that this start left out. */
export const readHeldBack = (folder: string): InstalledNodes[] => nodesIn(readBoots(folder).heldBack ?? "") ?? [];
