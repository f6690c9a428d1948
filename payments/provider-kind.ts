/** What a provider's folder offers the program: its settings, its adapter, and the page it needs in the panel, if any. */
import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { PaymentProvider } from "./payment-provider.ts";

export interface ProviderParts {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  publicUrl: string;
  /** Adds to the count of all processes in the current window of this length; returns the sum, and the seconds until the window ends. */
  countCalls?: (what: string, calls: number, windowSeconds: number) => Promise<{ calls: number; waitSeconds: number }>;
}

export interface PageParts {
  publicUrl: string;
  /** False for a replaced checkout: it is not shown any more. */
  mayBePaid(checkoutId: string): Promise<boolean>;
}

/** `Keys`: the parsed settings. */
export interface ProviderKind<Keys> {
  /** Whether it may be used in production. */
  forProduction: boolean;
  /** True if the provider is always the seller and issues the invoices. */
  isSeller: boolean;
  /** Whether these keys move no real money; true for none in a provider that is not for production. */
  isTest(keys: Keys): boolean;
  /** Its settings by name; optional unless listed in `required`. */
  settings: Readonly<Record<string, z.ZodType<string>>>;
  required: readonly string[];
  /** Settings that are secrets: each may be given as a file, `NAME_FILE`. */
  secrets: readonly string[];
  /** Called with validated settings. The program does not start without the required ones. */
  readKeys(given: Readonly<Record<string, string | undefined>>): Keys;
  create(keys: Keys, parts: ProviderParts): PaymentProvider;
  /** A page of the panel on which the provider draws its checkout. */
  page?: (keys: Keys, parts: PageParts) => FastifyPluginAsync;
}

export const providerKey = z.string().min(8, "is too short to be a key");

/** The currently valid secrets, separated by commas: two during a rotation. */
export const secretsIn = (text = ""): string[] =>
  text
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
