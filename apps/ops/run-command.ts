/** From what was typed to the command it means. */
import { parseArgs } from "node:util";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { CommandRefused, type Command, type OpsContext } from "./command.ts";

/** What was typed is no command: the help is printed with it. */
export class CommandUnknown extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandUnknown";
  }
}

/** An open context; `close` lets it go. */
export interface OpenContext {
  context: OpsContext;
  close(): Promise<void>;
}

/** Runs the command that `argv` names. Refuses with CommandUnknown before anything is opened, else as the command does. */
export async function runCommand(commands: readonly Command[], argv: readonly string[], open: () => Promise<OpenContext>): Promise<void> {
  const [name, ...rest] = argv;
  const command = commands.find((each) => each.name === name);
  if (!command) throw new CommandUnknown(name === undefined ? "Name a command." : `There is no command ${name}.`);
  const input = readInput(command, rest);
  const { context, close } = await open();
  try {
    // Before it runs: what was begun is on record, however it ends.
    const { db, operator, clock } = context;
    await writeAudit(
      db,
      { accountId: null, userId: null, action: "operator.command", after: { operator, command: command.name, ...input } },
      clock.now(),
    );
    await command.run(context, input);
  } finally {
    await close();
  }
}

function readInput(command: Command, argv: string[]) {
  const parameters = command.parameters ?? [];
  try {
    const { positionals, values } = parseArgs({ args: argv, options: { ...command.options }, allowPositionals: true, strict: true });
    if (positionals.length === parameters.length) return { arguments: positionals, options: values };
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS")) throw error;
    throw new CommandRefused(`${(error as Error).message}\n${usage(command)}`);
  }
  throw new CommandRefused(usage(command));
}

const usage = ({ name, parameters = [], options = {} }: Command): string => {
  const choices = Object.entries(options).map(([option, { type }]) => `[--${option}${type === "string" ? " …" : ""}]`);
  return ["Usage: npm run ops --", name, ...parameters.map((parameter) => `<${parameter}>`), ...choices].join(" ");
};

/** What `npm run ops` says without a command. */
export function describeCommands(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `  ${[command.name, ...(command.parameters ?? []).map((parameter) => `<${parameter}>`)].join(" ")}`,
    `      ${command.summary}.`,
    ...Object.entries(command.options ?? {}).map(
      ([option, { type, summary }]) => `      --${option}${type === "string" ? " …" : ""}  ${summary}.`,
    ),
  ]);
  return ["npm run ops -- <command>", "", "Commands:", ...lines].join("\n");
}
