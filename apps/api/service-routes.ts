/** What the panel needs before sign-in, and the development inbox. */
import { routes } from "#contract/routes.ts";
import { developmentInbox } from "#domain/mail/development-inbox.ts";
import type { Mount } from "#domain/journeys/services.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import type { FastifyRequest } from "fastify";
import type { ApiServices } from "./services.ts";

export function serviceRoutes(mount: Mount, services: ApiServices): void {
  mount(routes.frontEndConfig, async ({ request, query }) => ({
    featureFlags: await featureFlags(services, request, query.anonymousId),
    analytics: services.outside.analytics,
    errorReports: services.outside.sentryDsn ? { dsn: services.outside.sentryDsn, environment: services.outside.sentryEnvironment } : null,
    engine: services.delivery.engine,
    n8nLicense: services.delivery.n8nLicense,
    workspaceMemoryMb: services.workspace.memoryMb,
    lastBackupDays: services.billing.lastBackupDays,
    workspaceHost: new URL(services.publicUrl).host,
    developmentInbox: services.developmentInbox,
    sandbox: services.sandbox !== null && services.timeTravel !== null,
    now: services.clock.now().toISOString(),
    clockAheadMs: services.timeTravel?.clock.aheadMs() ?? 0,
    instanceOperations: services.instanceOperations,
    supportEmail: services.supportEmail,
    links: services.links,
  }));

  // Not mounted if mail is really sent, so that the inbox cannot be exposed by mistake.
  if (services.developmentInbox) mount(routes.developmentInbox, async () => ({ messages: await developmentInbox(services.db) }));
}

/** Flags of the account, or of the browser before sign-in; empty on failure. */
async function featureFlags(
  services: ApiServices,
  request: FastifyRequest,
  anonymousId: string | undefined,
): Promise<Record<string, string>> {
  try {
    const token = sessionToken(request, services.cookie);
    const current = token ? await services.findCurrentUser(token) : null;
    return await services.evaluateFlags(current?.accountId ?? anonymousId ?? null);
  } catch (error) {
    services.log.warn({ err: error }, "the feature flags could not be evaluated");
    return {};
  }
}
