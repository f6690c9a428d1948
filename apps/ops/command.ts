/** The shape of an operator's command. commands.ts lists them all. */
import type { PoolConfig } from "pg";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Config } from "../program/settings/config.ts";

/** What a command works with: the service's settings and database, whether the service is running or not. */
export interface OpsContext {
  config: Config;
  db: Database;
  /** For a separate session, outside the pool. */
  connection: PoolConfig;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  /** Who typed it, for the audit log: `--as`, else the user name on this machine. */
  operator: string;
  /** Whether it runs in a container, where the user name says nothing. */
  isContainer: boolean;
  /** `--reason`, for the audit log. */
  reason?: string | undefined;
  /** Prints one line to standard output. */
  print(line: string): void;
}

/** An option as `node:util` parses it, with its help text. */
interface CommandOption {
  type: "string" | "boolean";
  /** One sentence without a full stop. */
  summary: string;
}

export interface CommandInput {
  /** One per entry of `parameters`. */
  arguments: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Command {
  /** As typed after `npm run ops --`. */
  name: string;
  /** Names of the required arguments, in order. */
  parameters?: readonly string[];
  options?: Readonly<Record<string, CommandOption>>;
  /** One sentence without a full stop. */
  summary: string;
  /**
   * Whether it also runs on a database that is empty or belongs to another release; if that has no audit log yet, the command is recorded
   * at its end.
   */
  onAnySchema?: boolean;
  /** Whether it also runs without a data folder, and makes one. */
  mayCreate?: boolean;
  /** Whether it is refused without `--reason`. */
  asksWhy?: boolean;
  /** Throws CommandRefused with a message for the operator. */
  run(context: OpsContext, input: CommandInput): Promise<void>;
}

/** The command can't be carried out. Only its message is printed, and the exit code is 1. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandRefused";
  }
}
