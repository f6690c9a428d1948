/** `npm run ops -- <command>`: operators' commands for the terminal, using the same functions as the API. */
import { resolve } from "node:path";
import { StartTrouble } from "#platform/start-trouble.ts";
import { explainStart } from "../program/explain-start.ts";
import { ConfigInvalid } from "../program/settings/environment.ts";
import { CommandRefused } from "./command.ts";
import { commands } from "./commands.ts";
import { openContext } from "./open-context.ts";
import { CommandUnknown, describeCommands, runCommand } from "./run-command.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const argv = process.argv.slice(2);

const places = {
  dataDir: resolve(process.env["DATA_DIR"] || "data"),
  databaseUrl: process.env["DATABASE_URL"] || process.env["DATABASE_URL_FILE"] || undefined,
};

/** Expected errors print their message; others print the stack. */
function explain(thrown: unknown): string {
  const error = thrown instanceof CommandRefused ? thrown : explainStart(thrown, places);
  if (error instanceof CommandUnknown) return `${error.message}\n\n${describeCommands(commands)}`;
  if (error instanceof CommandRefused || error instanceof ConfigInvalid || error instanceof StartTrouble) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

if (["help", "--help", "-h"].includes(argv[0] ?? "help")) print(describeCommands(commands));
else {
  await runCommand(commands, argv, (command) => openContext(process.env, print, command)).catch((error: unknown) => {
    process.stderr.write(`\n${explain(error)}\n\n`);
    process.exitCode = 1;
  });
}
