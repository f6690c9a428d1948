/** A record of a workspace's starts. A full disk or a damaged file must not prevent a start. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Boots {
  /** Unfinished starts in a row. */
  unfinished: number;
  /** What was installed when community nodes were left out. */
  heldBack?: string | undefined;
}

const name = "boots.json";

/** Zero starts if the record cannot be read. */
export function readBoots(folder: string): Boots {
  try {
    const { unfinished, heldBack } = JSON.parse(readFileSync(join(folder, ".slipway", name), "utf8")) as Partial<Boots>;
    return { unfinished: Number(unfinished) || 0, ...(typeof heldBack === "string" && { heldBack }) };
  } catch {
    return { unfinished: 0 };
  }
}

/** Written completely or not at all; in the latter case the old record stays. */
export function writeBoots(folder: string, boots: Boots): void {
  const file = join(folder, ".slipway", name);
  try {
    mkdirSync(join(folder, ".slipway"), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(boots));
    renameSync(`${file}.new`, file);
  } catch (error) {
    console.warn(`this start was not written down: ${(error as Error).message}`);
  }
}
