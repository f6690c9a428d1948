/** The one program. It reads its settings, starts the roles it is asked for, and knows how to end. */
import { ConfigInvalid, readConfig } from "./program/settings/config.ts";
import { createLog } from "#platform/log.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import { createErrorReporter } from "./program/choices/create-error-reporter.ts";
import { printAddresses } from "./program/print-addresses.ts";
import { startProgram, type Program } from "./program/start-program.ts";

/** What is expected to go wrong at a start is told in plain words; anything else shows its stack. */
function refuse(error: unknown): never {
  const expected = error instanceof ConfigInvalid || error instanceof StartTrouble;
  process.stderr.write(`\n${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n\n`);
  process.exit(1);
}

/** One stop can arrive twice: from the terminal or supervisor itself, and handed on by the launcher. */
const sameStopMs = 1000;
let endingSince: number | null = null;
// Not awaited yet: a signal during the start must find its listener, or the database that was started would be left.
const starting = start();

async function start(): Promise<Program> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, createErrorReporter(config));
  const started = await startProgram(config, log);
  if (endingSince === null) printAddresses(config);
  return started;
}

/**
 * SIGINT is a person who wants everything to end, workspaces included. SIGTERM is a supervisor that brings the
 * program back in a moment: customers' workspaces go on meanwhile. SIGHUP, a terminal that was closed, is the same. See docs/decisions.
 */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (endingSince !== null) {
    if (Date.now() - endingSince < sameStopMs) return;
    process.exit(signal === "SIGINT" ? 130 : 143);
  }
  endingSince = Date.now();
  if (signal === "SIGINT") process.stdout.write("\nStopping everything; press Ctrl-C again to leave at once.\n");
  const program = await starting;
  await program.stop({ workspaces: signal === "SIGINT" });
  process.exit(0);
}
process.on("SIGINT", (signal) => void end(signal).catch(refuse));
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(signal).catch(refuse));
await starting.catch(refuse);
