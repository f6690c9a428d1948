/** The panel's API with all its dependencies. */
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { mayBePaid } from "#domain/billing/purchases/checkout/checkout-store.ts";
import { createFlags } from "#domain/experiments/flags.ts";
import { prepareCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { providerPage } from "#payments/providers.ts";
import { sessionCookie } from "#platform/http/session-cookie.ts";
import { buildApi } from "../../api/build-api.ts";
import type { ApiServices } from "../../api/services.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import { usualRelease } from "../../provisioner/engines/releases/read-releases.ts";
import { offeredRelease } from "../../provisioner/engines/releases/offered-release.ts";
import { createChallenge } from "../choices/create-challenge.ts";
import { createPasswordRules } from "../choices/create-password-rules.ts";
import { openCatalogue } from "../parts/open-catalogue.ts";
import type { Parts } from "../parts/open-parts.ts";
import { sandboxSite, timeTravel } from "../parts/payment-sandbox.ts";
import { deliveryOf, hasDevelopmentInbox, type Config } from "../settings/config.ts";

/** Builds the API without listening. */
export async function startApi(
  parts: Parts,
  watches: Pick<ApiServices, "watch" | "outputWatch">,
  checkReadiness: ApiServices["checkReadiness"],
): Promise<FastifyInstance> {
  const { config, log, db, clock, secrets, engine, sandbox } = parts;
  return buildApi({
    db,
    clock,
    log,
    secrets,
    stored: { storage: parts.backupStorage, keys: createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []) },
    billing: parts.billing,
    timeTravel: sandbox && timeTravel(sandbox),
    sandbox: sandbox && sandboxSite(sandbox),
    providerPage: providerPage(config.payments, {
      publicUrl: config.publicUrl,
      mayBePaid: (id) => mayBePaid(db, parts.billing.provider.name, id),
    }),
    ...watches,
    nodeCatalogue: openCatalogue(config, engine, log),
    introspection: !config.production,
    closedAccountDays: config.closedAccountDays,
    instanceOperations: config.instanceOperations,
    challenge: createChallenge(config.challenge, secrets, clock),
    passwords: createPasswordRules(config, clock, log),
    publicUrl: config.publicUrl,
    apiUrl: config.serviceUrls.api,
    serviceUrls: config.serviceUrls,
    cookie: sessionCookie(config.secure),
    workspace: workspaceDefaults(config, engine),
    findCurrentUser: prepareCurrentUser(db, clock, log),
    evaluateFlags: await createFlags(log),
    outside: {
      challenge: config.challenge.kind,
      analytics: config.analytics,
      sentryDsn: config.sentryDsn,
      sentryEnvironment: config.sentryEnvironment,
    },
    webFolder: fileURLToPath(new URL("../../web/dist", import.meta.url)),
    callsPerMinute: config.callsPerMinute,
    registrationsPerDay: config.registrationsPerDay,
    trustedProxyHops: config.trustedProxyHops,
    developmentInbox: hasDevelopmentInbox(config),
    delivery: deliveryOf(config),
    supportEmail: config.supportEmail,
    hasFrontPage: config.hasFrontPage,
    links: config.links,
    termsVersion: config.termsVersion,
    checkReadiness,
    ...(parts.metrics && { onAnswered: parts.metrics.answered }),
    tracer: parts.tracer,
  });
}

function workspaceDefaults(config: Config, engine: Engine): ApiServices["workspace"] {
  return {
    engine: config.engine,
    engineName: engine.displayName,
    version: usualRelease(engine.releases).version,
    releases: engine.releases.map(offeredRelease),
    memoryMb: config.workspaceMemoryMb,
    cpus: config.workspaceCpus,
    diskMb: config.workspaceDiskMb,
    hasCommunityNodes: engine.communityNodes !== undefined,
    hasExports: engine.exports !== undefined,
    settings: engine.ownerSettings,
    takesVariablesRunning: engine.setVariables !== undefined,
    createSecrets: () => engine.createSecrets(),
    loginPath: (workspaceId, landingPath) => engine.loginPath(workspaceId, landingPath),
    readLoginCode: (code) => engine.readLoginCode(code),
  };
}
