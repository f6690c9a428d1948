/** Finds and runs the command that was typed. */
import { parseArgs } from "node:util";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { CommandRefused, type Command, type OpsContext } from "./command.ts";

/** There is no such command. The help is printed with the message. */
export class CommandUnknown extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandUnknown";
  }
}

/** An open context. Call `close` when done. */
export interface OpenContext {
  context: OpsContext;
  close(): Promise<void>;
}

/**
 * Runs the command named by `argv`. Throws CommandUnknown before anything is opened, CommandRefused for wrong
 * arguments, or what the command throws.
 */
export async function runCommand(
  commands: readonly Command[],
  argv: readonly string[],
  open: (command: Command) => Promise<OpenContext>,
): Promise<void> {
  const [name, ...rest] = argv;
  const command = commands.find((each) => each.name === name);
  if (!command) throw new CommandUnknown(name === undefined ? "Enter a command." : `Unknown command: ${name}.`);
  const input = readInput(command, rest);
  const { context, close } = await open(command);
  try {
    const { db, operator, clock } = context;
    const after = { operator, command: command.name, ...input };
    const audit = () => writeAudit(db, { accountId: null, userId: null, action: "operator.command", after }, clock.now());
    // Before it runs, so that every attempt is on record; in an empty database there is nowhere to record it yet.
    const isAudited = await audit().then(
      () => true,
      (error: unknown) => {
        if (!command.onAnySchema) throw error;
        return false;
      },
    );
    await command.run(context, input);
    if (!isAudited) await audit();
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

/** The help that `npm run ops` prints without a command. */
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
