/** What the API's handlers work with. Built once, in apps/program/roles/start-api.ts or by a test. */
import type { FastifyPluginAsync } from "fastify";
import type { FindCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import type { EvaluateFlags } from "#domain/experiments/flags.ts";
import type { Services } from "#domain/journeys/services.ts";
import type { SandboxSite } from "#payments/sandbox/site/page-answers.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { Readiness } from "./serve-health.ts";
import type { CallPhases } from "./limit-phases.ts";
import type { ServiceUrls } from "./service-urls.ts";
import type { OutsideServices } from "./outside-sources.ts";

/** URLs of the operator's pages; empty if there is none. */
export type FooterLinks = Record<"status" | "impressum" | "privacy" | "terms", string>;

/** An answered request; `route` is the route's pattern, never a path with a customer's ids in it. */
export interface Answered {
  method: string;
  route: string;
  status: number;
  ms: number;
}

export interface ApiServices extends Services {
  /** Called after each answer except event streams, for metrics. */
  onAnswered?: (answered: Answered) => void;
  /** Begins a trace with each call; absent without tracing. */
  tracer?: Tracer | null;
  findCurrentUser: FindCurrentUser;
  evaluateFlags: EvaluateFlags;
  /** Where the panel finds the API and its parts; by default below `/api` of `publicUrl`. */
  serviceUrls?: ServiceUrls;
  /** Third-party services that the panel may use. */
  outside: OutsideServices;
  /** Folder of the built panel. */
  webFolder: string;
  /** Calls per minute and address, for every call without its own limit. */
  callsPerMinute: number;
  /** The time limits of a call's phases, if they are smaller than usual. */
  phases?: CallPhases;
  trustedProxyHops: number;
  developmentInbox: boolean;
  /** The payment sandbox's pages and controls; null with a real provider. */
  sandbox: SandboxSite | null;
  /** The panel page on which the payment provider shows its checkout; null if the provider hosts its own. */
  providerPage: FastifyPluginAsync | null;
  supportEmail: string;
  /** Whether `/` shows visitors the product; otherwise it redirects to the sign-in page. */
  hasFrontPage: boolean;
  links: FooterLinks;
  /** Whether the service can do its work, by check: database, migrations, roles. */
  checkReadiness: () => Promise<Readiness>;
}
