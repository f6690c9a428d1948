/** Builds the panel's HTTP application: plugins, the contract's calls, the API reference and the built web app. */
import type { ServerResponse } from "node:http";
import cookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { personHeader } from "#contract/api/person-header.ts";
import { routes } from "#contract/routes.ts";
import { addressSubject } from "#domain/attempts/attempt-store.ts";
import { countCall } from "#domain/attempts/call-count-store.ts";
import type { CurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { AppError } from "#platform/app-error.ts";
import { createMount, type Authenticate, type CountCall } from "#platform/http/mount.ts";
import { refuseCrossOrigin } from "#platform/http/refuse-cross-origin.ts";
import { bearerToken, clearSessionCookie, sessionToken } from "#platform/http/session-cookie.ts";
import { streamBegan } from "#platform/http/stream-events.ts";
import { newId } from "#platform/ids.ts";
import { answerProblem } from "./answer-problem.ts";
import { followCalls } from "./follow-calls.ts";
import { describeApi } from "./reference/describe-api.ts";
import { mountAll } from "./mounted.ts";
import { outsideSources } from "./outside-sources.ts";
import { receiveWebhooks } from "./receive-webhooks.ts";
import { buildHeaders, securityHeaders } from "./security-headers.ts";
import { serveHealth } from "./serve-health.ts";
import { serveWeb } from "./pages/serve-web.ts";
import type { ApiServices } from "./services.ts";
import { serveSandbox } from "#payments/sandbox/site/serve-sandbox.ts";

/** 256 KiB: the largest legitimate body is a list of selected apps, about 20 KiB. */
const bodyLimitBytes = 256 * 1024;

/** Builds the application without listening. Call `inject` or `routing` on the result. */
export async function buildApi(services: ApiServices): Promise<FastifyInstance> {
  const headers = { secure: services.cookie.secure, outside: outsideSources(services.outside) };
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // We log one line per response (below), without the query string.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: bodyLimitBytes,
    trustProxy: (_address, hop) => hop < services.trustedProxyHops,
    genReqId: () => newId(),
    routerOptions: { maxParamLength: 200 },
    // URLs that reach neither a route nor a hook: malformed encoding, or a parameter that is too long.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...buildHeaders(headers), "x-request-id": request.id, "cache-control": "no-store" });
      void answerProblem(error, request, reply);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerProblem);
  // Synchronous hooks use a callback instead of a promise, which would cost every request a turn of the event loop.
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    done();
  });
  const streams = new WeakSet<ServerResponse>();
  app.addHook("onRequest", (_request, { raw }, done) => {
    raw.once(streamBegan, () => streams.add(raw));
    done();
  });
  const traceIdOf = followCalls(app, services.tracer ?? null);
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        traceId: traceIdOf(request),
      },
      "answered",
    );
    // An event stream lasts as long as its reader stays, which says nothing about how quick the service is.
    if (!streams.has(reply.raw))
      services.onAnswered?.({
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: reply.elapsedTime,
      });
    done();
  });

  await app.register(securityHeaders, headers);
  await app.register(cookie);
  await app.register(
    async (api) => {
      await api.register(rateLimit, {
        max: services.callsPerMinute,
        timeWindow: "1 minute",
        // Only refused callers get these headers; on other responses they would be useless.
        addHeadersOnExceeding: { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false },
        errorResponseBuilder: (_request, context) =>
          new AppError("too_many_requests", { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
      });
      await describeApi(api, headers);
      const { origin } = new URL(services.publicUrl);
      api.addHook("onRequest", (request, reply, done) => {
        void reply.header("cache-control", "no-store");
        refuseCrossOrigin(request, origin);
        done();
      });
      api.setNotFoundHandler((request, reply) => answerProblem(new AppError("not_found"), request, reply));
      await api.register(receiveWebhooks, services);
      mountAll(createMount<CurrentUser>(api, authenticator(services), callCounter(services)), services);
    },
    { prefix: "/api" },
  );
  if (services.sandbox) await app.register(serveSandbox, services.sandbox);
  if (services.providerPage) await app.register(services.providerPage);
  serveHealth(app, services.checkReadiness);
  await serveWeb(app, services.webFolder, {
    ...headers,
    links: services.links,
    engine: services.delivery.engine,
    hasFrontPage: services.hasFrontPage,
    developmentInbox: services.developmentInbox,
    sandbox: services.sandbox !== null && services.timeTravel !== null,
    asksConsent: services.outside.analytics.postHog !== null || services.outside.analytics.tagManager !== null,
  });
  await app.ready();
  return app;
}

/** The path without query, and without the token of a link that has it in its path. */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes(":token") ? routeOptions.url : url.split("?")[0];
}

/**
 * Counts calls in PostgreSQL. If PostgreSQL does not answer, the call is let in: this process's own limit still applies, and the handler
 * fails as it would anyway.
 */
function callCounter({ db, log }: ApiServices): CountCall {
  return async (route, address, perMinute) => {
    const counted = await countCall(db, route, addressSubject(address)).catch((err: unknown) =>
      log.warn({ err, route }, "calls could not be counted"),
    );
    if (counted && counted.calls > perMinute) throw new AppError("too_many_requests", { retryAfterSeconds: counted.waitSeconds });
  };
}

/** The call that every page starts with, and that the panel repeats after another call was refused. */
const whoIsThere = `/api${routes.me.path}`;

/**
 * Finds the signed-in user; null without a token. A token of an ended session is "Session expired". Only the call for the current user
 * clears the cookie: any other call may arrive late and would remove a newer cookie. Pages send the user they were rendered for, and a
 * call is refused if another user has signed in since.
 */
function authenticator(services: ApiServices): Authenticate<CurrentUser> {
  return async (request, reply) => {
    const token = sessionToken(request, services.cookie);
    if (!token) return null;
    const current = await services.findCurrentUser(token);
    if (!current) {
      if (request.routeOptions.url === whoIsThere && !bearerToken(request)) clearSessionCookie(reply, services.cookie);
      throw new AppError("session_expired");
    }
    const drawnFor = request.headers[personHeader];
    if (drawnFor !== undefined && drawnFor !== current.userId) throw new AppError("other_person");
    return current;
  };
}
