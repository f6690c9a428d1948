/** The front door of the panel: plugins, the calls of the contract, the API reference and the built web app. */
import cookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { personHeader } from "#contract/api/person-header.ts";
import { routes } from "#contract/routes.ts";
import type { CurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { AppError } from "#platform/app-error.ts";
import { createMount, type Authenticate } from "#platform/http/mount.ts";
import { refuseCrossOrigin } from "#platform/http/refuse-cross-origin.ts";
import { bearerToken, clearSessionCookie, sessionToken } from "#platform/http/session-cookie.ts";
import { newId } from "#platform/ids.ts";
import { answerProblem } from "./answer-problem.ts";
import { describeApi } from "./pages/describe-api.ts";
import { mountAll } from "./mounted.ts";
import { outsideSources } from "./outside-sources.ts";
import { receiveWebhooks } from "./receive-webhooks.ts";
import { buildHeaders, securityHeaders } from "./security-headers.ts";
import { serveHealth } from "./serve-health.ts";
import { serveWeb } from "./pages/serve-web.ts";
import type { ApiServices } from "./services.ts";
import { serveSandbox } from "#payments/sandbox/site/serve-sandbox.ts";

/** 256 KiB: the largest honest body is a list of selected apps, some 20 KiB. */
const bodyLimitBytes = 256 * 1024;

/** Builds the panel's HTTP application without listening; `ready` and `inject` or `routing` do the rest. */
export async function buildApi(services: ApiServices): Promise<FastifyInstance> {
  const headers = { secure: services.cookie.secure, outside: outsideSources(services.outside) };
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // One line per answer is ours (below), with no query string in it.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy: (_address, hop) => hop < services.trustedProxyHops,
    genReqId: () => newId(),
    routerOptions: { maxParamLength: 200 },
    // Addresses that lead to no route and past every hook: what no decoder reads, and a part that is too long.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...buildHeaders(headers), "x-request-id": request.id, "cache-control": "no-store" });
      void answerProblem(error, request, reply);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerProblem);
  // Hooks that wait for nothing call back instead of returning a promise: each promise costs every request a turn.
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      { method: request.method, path: loggedPath(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "answered",
    );
    done();
  });

  await app.register(securityHeaders, headers);
  await app.register(cookie);
  await app.register(
    async (api) => {
      await api.register(rateLimit, {
        max: services.callsPerMinute,
        timeWindow: "1 minute",
        // Whoever meets a limit is told; on every other answer it would be three headers for nobody.
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
      mountAll(createMount<CurrentUser>(api, authenticator(services)), services);
    },
    { prefix: "/api" },
  );
  if (services.sandbox) await app.register(serveSandbox, services.sandbox);
  if (services.providerPage) await app.register(services.providerPage);
  serveHealth(app, services.checkReadiness);
  await serveWeb(app, services.webFolder, { ...headers, links: services.links });
  await app.ready();
  return app;
}

/** Without its query, and without the token of a link that has it in its path. */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes(":token") ? routeOptions.url : url.split("?")[0];
}

/** The call that every page begins with, and that the panel makes when another one was refused. */
const whoIsThere = `/api${routes.me.path}`;

/**
 * A token that no longer opens a session is "Session expired"; no token at all is nobody. The cookie goes with the answer to who is
 * signed in alone: any other call may be late, and would take away the cookie that has replaced its own meanwhile. A page says for whom
 * it was drawn: what it asks after somebody else signed in beside it is not done in their name.
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
