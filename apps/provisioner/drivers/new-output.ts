/** A workspace's output as it grows, in whole lines, from any driver. */
import type { Driver } from "./driver.ts";

export interface NewOutput {
  /** Whole lines, oldest first; empty if there are none since the mark. */
  text: string;
  /** Where they end: the mark for the next call. */
  mark: string;
  /** Lines between the mark and `text` are missing: there were more than `maxBytes`, or they are no longer kept. */
  isCut: boolean;
}

/** So long that only output which repeats itself for as long could be mistaken for what was read before. */
const markCharacters = 4 * 1024;

/**
 * The lines written since `mark`, which an earlier call returned, at most the newest `maxBytes`; without a mark, the newest of all that is
 * kept. A line counts once its end is written. Drivers that cannot read from a position return everything, and the end of what was read
 * before is searched in it: if output repeats itself endlessly, some lines are then left out.
 */
export async function readNewOutput(driver: Driver, workspaceId: string, mark: string | null, maxBytes: number): Promise<NewOutput> {
  if (driver.newLogs) return driver.newLogs(workspaceId, mark, maxBytes);
  const kept = wholeLines(await driver.logs(workspaceId, maxBytes));
  const at = mark === null || mark === "" ? -1 : kept.lastIndexOf(mark);
  const text = at < 0 ? kept : kept.slice(at + mark!.length);
  if (text === "") return { text, mark: mark ?? "", isCut: false };
  return { text, mark: (at < 0 ? text : mark + text).slice(-markCharacters), isCut: at < 0 && mark !== null && mark !== "" };
}

/** Up to the end of the last line; the whole text if it has none and is too long to wait for. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf("\n") + 1;
  return end === 0 && text.length >= mostWaitedFor ? text : text.slice(0, end);
}

/** Length of a line without an end beyond which it is no longer waited for, in characters. */
export const mostWaitedFor = 16 * 1024;
