/** Says that n8n has started, and which community nodes were left out for it: see boot-guard.mts. */
import { readBoots, writeBoots } from "./boots.mts";

/** Returns the nodes that were left out of this start for the first time, as "name version". */
export function finishBoot(folder: string): string[] {
  const { heldBack } = readBoots(folder);
  writeBoots(folder, { unfinished: 0, heldBack });
  return heldBack === undefined || process.env["SLIPWAY_NODES_HELD_BACK"] !== "now" ? [] : namesIn(heldBack);
}

function namesIn(packages: string): string[] {
  try {
    const { dependencies = {} } = JSON.parse(packages) as { dependencies?: Record<string, string> };
    return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  } catch {
    // npm was ended while it wrote.
    return ["an unreadable list"];
  }
}
