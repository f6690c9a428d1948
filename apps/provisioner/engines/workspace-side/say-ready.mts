/**
 * Tells the control plane that this start is over, so that it checks now instead of later. It would check anyway: nothing depends on this.
 */
import { writeSync } from "node:fs";

/** The driver's pipe. Programs that the workspace starts do not need to know it, and do not inherit it. */
const descriptor = process.env["SLIPWAY_READY"];
delete process.env["SLIPWAY_READY"];

export function sayReady(): void {
  if (!descriptor) return;
  try {
    // It stays open: if it were closed with no reader, the pipe would lose what was written.
    writeSync(Number(descriptor), "\n");
  } catch {
    // No driver listens.
  }
}
