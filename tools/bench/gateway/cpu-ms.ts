/** CPU time that a process has used: unlike requests a second, it is the same on a busy machine. */
import { readFile } from "node:fs/promises";

/** Linux reports hundredths of a second to every program, whatever its own clock rate. */
const tickMs = 10;

/** User and system time of the process in milliseconds; null on systems without Linux's /proc. */
export async function cpuMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The name in parentheses may contain spaces; utime and stime are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
