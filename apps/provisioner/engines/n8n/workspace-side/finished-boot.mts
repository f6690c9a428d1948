/** Says that n8n has started, and which community nodes were left out for it: see boot-guard.mts. */
import { readBoots, writeBoots } from "./boots.mts";
import { nodesIn, type InstalledNodes } from "./nodes-in.mts";

/** Returns the nodes that were left out of this start for the first time, as "name version". */
export function finishBoot(folder: string): string[] {
  const { heldBack } = readBoots(folder);
  writeBoots(folder, { unfinished: 0, heldBack });
  if (heldBack === undefined || process.env["SLIPWAY_NODES_HELD_BACK"] !== "now") return [];
  // It cannot be read where npm was ended while it wrote.
  return nodesIn(heldBack)?.map(({ name, version }) => `${name} ${version}`) ?? ["an unreadable list"];
}

/** The nodes that this start was made without. */
export const readHeldBack = (folder: string): InstalledNodes[] => nodesIn(readBoots(folder).heldBack ?? "") ?? [];
