/**
 * Tells the control plane that this start is over, so that it asks now instead of after a while. It asks anyway: nothing depends on this.
 */
import { writeSync } from "node:fs";

/** The driver's pipe. Programs that the workspace starts do not need to know it, and do not inherit it. */
const descriptor = process.env["SLIPWAY_READY"];
delete process.env["SLIPWAY_READY"];

export function sayReady(): void {
  if (!descriptor) return;
  try {
    // It stays open: closed with no reader, the pipe would forget.
    writeSync(Number(descriptor), "\n");
  } catch {
    // No driver hears it.
  }
}
