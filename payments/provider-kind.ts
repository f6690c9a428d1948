/** What a provider's folder offers to the program: its settings, its adapter, and the page it needs in the panel, if any. */
import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { PaymentProvider } from "./payment-provider.ts";

export interface ProviderParts {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  publicUrl: string;
}

export interface PageParts {
  publicUrl: string;
  /** False for a checkout that another one replaced: it is not shown any more. */
  mayBePaid(checkoutId: string): Promise<boolean>;
}

/** `Keys`: what the operator's settings come to. */
export interface ProviderKind<Keys> {
  /** Whether a production service may use it. */
  forProduction: boolean;
  /** True where the provider is the seller and issues the invoices. */
  isSeller: boolean;
  /** Its settings by name; each may be left out unless `required` names it. */
  settings: Readonly<Record<string, z.ZodType<string>>>;
  required: readonly string[];
  /** Called with checked settings; the required ones have been checked to be there, or the program does not start. */
  readKeys(given: Readonly<Record<string, string | undefined>>): Keys;
  create(keys: Keys, parts: ProviderParts): PaymentProvider;
  /** A page of ours that the provider draws its checkout on. */
  page?: (keys: Keys, parts: PageParts) => FastifyPluginAsync;
}

export const providerKey = z.string().min(8, "is too short to be a key");

/** Secrets that are valid now, separated by commas: two while one replaces the other. */
export const secretsIn = (text = ""): string[] =>
  text
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
