/** What is remembered of a workspace's starts. A disk that is full or a file that is spoilt must not keep it from starting. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Boots {
  /** Starts in a row that were not finished. */
  unfinished: number;
  /** What was installed when community nodes were left out. */
  heldBack?: string | undefined;
}

const name = "boots.json";

/** No starts where nothing can be read. */
export function readBoots(folder: string): Boots {
  try {
    const { unfinished, heldBack } = JSON.parse(readFileSync(join(folder, ".slipway", name), "utf8")) as Partial<Boots>;
    return { unfinished: Number(unfinished) || 0, ...(typeof heldBack === "string" && { heldBack }) };
  } catch {
    return { unfinished: 0 };
  }
}

/** Whole, or not at all: then what was there stays. */
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
