/** The panel's HTTP application: the contract's calls, the payment sandbox's pages and the health checks, in the frame that they share. */
import type { FastifyInstance } from "fastify";
import { findKnownUsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { countCall } from "#domain/attempts/call-count-store.ts";
import { callKindOf } from "#domain/attempts/call-limits.ts";
import { refuseTooManyCalls } from "#domain/attempts/limit-calls.ts";
import type { CurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { AppError } from "#platform/app-error.ts";
import type { CountCall, LimitCalls } from "#platform/http/mount.ts";
import { buildFrame } from "./build-frame.ts";
import { within } from "#platform/loops/within.ts";
import { mountAll } from "./mounted.ts";
import { browserToken } from "#platform/http/browser-cookie.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import { outsideSources } from "./outside-sources.ts";
import { provenCallers, type ProvenCallers } from "./proven-callers.ts";
import { receiveWebhooks } from "./receive-webhooks.ts";
import { serveHealth } from "./serve-health.ts";
import type { ApiServices } from "./services.ts";
import { serveSandbox } from "#payments/sandbox/site/serve-sandbox.ts";

const findBrowserMs = 1_000;

/** Builds the application without listening. Call `inject` or `routing` on the result. */
export function buildApi(services: ApiServices): Promise<FastifyInstance> {
  const { log, onAnswered, tracer, publicUrl, cookie, trustedProxyHops, callsPerMinute, webFolder } = services;
  return buildFrame<CurrentUser>(
    {
      log,
      ...(onAnswered ? { onAnswered } : {}),
      ...(tracer ? { tracer } : {}),
      publicUrl,
      serviceUrls: services.serviceUrls,
      cookie,
      headers: { secure: cookie.secure, outside: outsideSources(services.outside) },
      trustedProxyHops,
      callsPerMinute,
      ...(services.phases ? { phases: services.phases } : {}),
      webFolder,
      panel: {
        links: services.links,
        engine: services.delivery.engine,
        hasFrontPage: services.hasFrontPage,
        developmentInbox: services.developmentInbox,
        sandbox: services.sandbox !== null && services.timeTravel !== null,
        asksConsent: services.outside.analytics.postHog !== null || services.outside.analytics.tagManager !== null,
      },
    },
    {
      findCurrentUser: services.findCurrentUser,
      countCall: callCounter(services),
      callers: callersOf(services),
      now: () => services.clock.now(),
      limitCalls: callLimiter(services),
      async calls(mount, api) {
        await api.register(receiveWebhooks, services);
        mountAll(mount, services);
      },
      async pages(app) {
        if (services.sandbox) await app.register(serveSandbox, services.sandbox);
        if (services.providerPage) await app.register(services.providerPage);
        serveHealth(app, services.checkReadiness);
      },
    },
  );
}

/**
 * Counts calls in PostgreSQL. If PostgreSQL does not answer, the call is let in: this process's own limit still applies, and the handler
 * fails as it would anyway.
 */
function callCounter({ db, log }: ApiServices): CountCall {
  return async (route, caller, perMinute) => {
    const counted = await countCall(db, route, caller).catch((err: unknown) => log.warn({ err, route }, "calls could not be counted"));
    if (counted && counted.calls > perMinute) throw new AppError("too_many_requests", { retryAfterSeconds: counted.waitSeconds });
  };
}

/** If PostgreSQL does not answer soon, a browser counts as a stranger's: calls that need no database are made all the same. */
function callersOf(services: ApiServices): ProvenCallers {
  const { db, clock, log } = services;
  const find = async (token: string) => (await findKnownUsers(db, token, clock.now()))[0]?.id ?? null;
  return provenCallers({
    sessionToken: (request) => sessionToken(request, services.cookie),
    browserToken: (request) => browserToken(request, services),
    findBrowser: (token) =>
      within(findBrowserMs, "finding a browser", find(token)).catch(
        (err: unknown) => void log.warn({ err }, "a browser could not be found"),
      ),
  });
}

/** Limits the calls of a session and its account that write. Without an answer of PostgreSQL the handler could not write either. */
function callLimiter({ db, log }: ApiServices): LimitCalls<CurrentUser> {
  return async (route, signedIn) => {
    const kind = callKindOf(route);
    if (kind === null) return;
    await refuseTooManyCalls(db, kind, signedIn).catch((err: unknown) => {
      if (err instanceof AppError) throw err;
      log.warn({ err, kind }, "calls could not be counted");
    });
  };
}
