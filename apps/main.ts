/** The program's entry point: reads the settings, starts the selected roles, and handles signals. */
import { ConfigInvalid } from "./program/settings/environment.ts";
import { isAllInOne, readConfig } from "./program/settings/config.ts";
import { createLog } from "#platform/log.ts";
import { StartStopped, StartTrouble } from "#platform/start-trouble.ts";
import { createErrorReporter } from "./program/choices/create-error-reporter.ts";
import { printAddresses } from "./program/print-addresses.ts";
import { startProgram, type Program } from "./program/start-program.ts";

/** Expected errors of a start print their message; others print the stack. A start that a supervisor stopped has not failed. */
function refuse(error: unknown): never {
  if (error instanceof StartStopped) {
    process.stdout.write(`\n${error.message}\n\n`);
    process.exit(0);
  }
  const expected = error instanceof ConfigInvalid || error instanceof StartTrouble;
  process.stderr.write(`\n${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n\n`);
  process.exit(1);
}

/** The same signal can arrive twice: from the terminal or supervisor, and forwarded by the launcher. */
const sameStopMs = 1000;
let endingSince: number | null = null;
let allInOne = false;
const leaving = new AbortController();
// Not awaited yet: a signal during the start needs its listener, or the started database would be left running.
const starting = start();

async function start(): Promise<Program> {
  const config = readConfig(process.env);
  allInOne = isAllInOne(config);
  const log = createLog(config.logLevel, createErrorReporter(config));
  const started = await startProgram(config, log, leaving.signal);
  if (endingSince === null) printAddresses(config);
  return started;
}

/**
 * SIGINT comes from a person who wants to stop everything, workspaces included; if other processes of the service are running, workspaces
 * keep running. SIGTERM comes from a supervisor that restarts the program soon, so workspaces keep running. SIGHUP, from a closed terminal,
 * is handled like SIGTERM. See docs/decisions.
 */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (endingSince !== null) {
    if (Date.now() - endingSince < sameStopMs) return;
    process.exit(signal === "SIGINT" ? 130 : 143);
  }
  endingSince = Date.now();
  leaving.abort();
  if (signal === "SIGINT")
    process.stdout.write(`\nStopping ${allInOne ? "everything" : "this process"}; press Ctrl-C again to exit immediately.\n`);
  const program = await starting;
  await program.stop({ workspaces: signal === "SIGINT" });
  process.exit(0);
}
process.on("SIGINT", (signal) => void end(signal).catch(refuse));
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(signal).catch(refuse));
await starting.catch(refuse);
