/** What the API's handlers work with; built once in apps/main.ts, or by a test. */
import type { FastifyPluginAsync } from "fastify";
import type { Delivery } from "#contract/billing/delivered-features.ts";
import type { FindCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import type { EvaluateFlags } from "#domain/experiments/flags.ts";
import type { Services } from "#domain/journeys/services.ts";
import type { SandboxSite } from "#payments/sandbox/site/page-answers.ts";
import type { OutsideServices } from "./outside-sources.ts";

/** The operator's pages; empty where there is none. */
export type FooterLinks = Record<"status" | "impressum" | "privacy" | "terms", string>;

export interface ApiServices extends Services {
  findCurrentUser: FindCurrentUser;
  evaluateFlags: EvaluateFlags;
  /** What the panel may talk to beside its own API. */
  outside: OutsideServices;
  /** Folder of the built panel. */
  webFolder: string;
  /** Calls a minute and address, for everything without a limit of its own. */
  callsPerMinute: number;
  trustedProxyHops: number;
  developmentInbox: boolean;
  /** The payment sandbox's pages and controls; null with a real provider. */
  sandbox: SandboxSite | null;
  /** The page in the panel that the payment provider draws its checkout on; null where it has pages of its own. */
  providerPage: FastifyPluginAsync | null;
  /** What decides which of the plans' labels hold. */
  delivery: Delivery;
  supportEmail: string;
  links: FooterLinks;
  /** Whether the service can do its work: database, migrations, roles. */
  checkReadiness: () => Promise<Record<string, boolean>>;
}
