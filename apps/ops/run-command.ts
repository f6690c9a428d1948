/** Finds and runs the command that was typed. */
import { parseArgs } from "node:util";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { CommandRefused, type Command, type OpsContext } from "./command.ts";

/** Options of every command: who types it, and why, for the audit log. */
const onRecord = {
  as: { type: "string", summary: "who you are, if the user name on this machine does not say so, as in a container" },
  reason: { type: "string", summary: "why, such as a ticket number" },
} as const;

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
  const { as, reason, ...input } = readInput(command, rest);
  if (command.asksWhy && !reason) throw new CommandRefused(`Say why, for the audit log: --reason "ticket 7".\n${usage(command)}`);
  const opened = await open(command);
  const { close } = opened;
  try {
    const context = { ...opened.context, operator: operatorOf(command, as, opened.context), reason };
    const { db, operator, clock } = context;
    const after = { operator, ...(reason ? { reason } : {}), command: command.name, ...input };
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
    // What was restored may have the audit log of an older release.
    if (!isAudited) await audit().catch((error: unknown) => notRecorded(command, error, context));
  } finally {
    await close();
  }
}

function notRecorded({ mayCreate }: Command, error: unknown, { log }: OpsContext): void {
  if (!mayCreate) throw error;
  log.error({ err: error }, "the command is not in the audit log, which an older release wrote");
}

/** The user name of a container says nothing about who typed the command. A migration is a machine's work, and needs nobody. */
function operatorOf({ onAnySchema }: Command, as: string | undefined, { operator, isContainer }: OpsContext): string {
  if (as !== undefined) return as;
  if (isContainer && !onAnySchema)
    throw new CommandRefused("Say who you are, for the audit log: --as ada. In a container every operator has the same user name.");
  return operator;
}

function readInput(command: Command, argv: string[]) {
  const parameters = command.parameters ?? [];
  try {
    const options = { ...onRecord, ...command.options };
    const { positionals, values } = parseArgs({ args: argv, options, allowPositionals: true, strict: true });
    const { as, reason, ...chosen } = values as { as?: string; reason?: string } & Record<string, string | boolean | undefined>;
    if (positionals.length === parameters.length)
      return { arguments: positionals, options: chosen, as: as?.trim() || undefined, reason: reason?.trim() || undefined };
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS")) throw error;
    throw new CommandRefused(`${(error as Error).message}\n${usage(command)}`);
  }
  throw new CommandRefused(usage(command));
}

const usage = ({ name, parameters = [], options = {} }: Command): string => {
  const choices = Object.entries({ ...options, ...onRecord }).map(([option, { type }]) => `[--${option}${type === "string" ? " …" : ""}]`);
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
  const always = Object.entries(onRecord).map(([option, { summary }]) => `  --${option} …  ${summary}.`);
  return ["npm run ops -- <command>", "", "With every command:", ...always, "", "Commands:", ...lines].join("\n");
}
