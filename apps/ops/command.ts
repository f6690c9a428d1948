/** What an operator's command is made of; commands.ts lists them all. */
import type { PoolConfig } from "pg";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Config } from "../program/settings/config.ts";

/** What a command works with: the settings and the database of the service, whether it runs at the moment or not. */
export interface OpsContext {
  config: Config;
  db: Database;
  /** For a session of its own, outside the pool. */
  connection: PoolConfig;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  /** Who runs it, for the record: the name at this machine. */
  operator: string;
  /** One line to standard output. */
  print(line: string): void;
}

/** An option as `node:util` reads it, and what the help says about it. */
export interface CommandOption {
  type: "string" | "boolean";
  /** One sentence without a full stop. */
  summary: string;
}

export interface CommandInput {
  /** As many as `parameters` has. */
  arguments: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Command {
  /** As typed after `npm run ops --`. */
  name: string;
  /** Names of what must follow, in order. */
  parameters?: readonly string[];
  options?: Readonly<Record<string, CommandOption>>;
  /** One sentence without a full stop. */
  summary: string;
  /** Refuses with CommandRefused, in words for the operator. */
  run(context: OpsContext, input: CommandInput): Promise<void>;
}

/** What was asked for can't be done; the message says why, is printed alone, and the command ends with 1. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandRefused";
  }
}
