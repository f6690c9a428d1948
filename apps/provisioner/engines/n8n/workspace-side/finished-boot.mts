/** Says that n8n has started, and which community nodes were left out for it: see boot-guard.mts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the nodes that were left out of this start for the first time, as "name version". */
export function finishBoot(folder: string): string[] {
  const file = join(folder, ".slipway", "boots.json");
  const { heldBack } = JSON.parse(readFileSync(file, "utf8")) as { heldBack?: string };
  writeFileSync(file, JSON.stringify({ unfinished: 0, heldBack }));
  if (heldBack === undefined || process.env["SLIPWAY_NODES_HELD_BACK"] !== "now") return [];
  const { dependencies = {} } = JSON.parse(heldBack) as { dependencies?: Record<string, string> };
  return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
}
