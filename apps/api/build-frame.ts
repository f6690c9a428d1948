/**
 * The HTTP application around the contract's calls: plugins, limits, who is signed in, errors, headers and the built panel. The API mounts
 * its calls in it, and so does the stand-in of the API that the panel's tests use (testing/panel/serve-panel.ts): both refuse the same
 * requests with the same answers.
 */
import type { ServerResponse } from "node:http";
import cookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { personHeader } from "#contract/api/person-header.ts";
import { routes } from "#contract/routes.ts";
import { AppError } from "#platform/app-error.ts";
import { addressSubject } from "#domain/attempts/attempt-store.ts";
import { createMount, type Authenticate, type CountCall, type LimitCalls, type Mount } from "#platform/http/mount.ts";
import type { OpenedSession } from "#platform/http/refuse-session.ts";
import { readJsonBodies } from "#platform/http/read-json-bodies.ts";
import { refuseCrossOrigin } from "#platform/http/refuse-cross-origin.ts";
import { bearerToken, clearSessionCookie, sessionToken, type SessionCookie } from "#platform/http/session-cookie.ts";
import { strictValidatorCompiler } from "#platform/http/strict-shapes.ts";
import { streamBegan } from "#platform/http/stream-events.ts";
import { newId } from "#platform/ids.ts";
import { timeLimits } from "#platform/time-limits.ts";
import type { Log } from "#platform/log.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import { noteMethods } from "./allowed-methods.ts";
import { answerProblem } from "./answer-problem.ts";
import { refuseOnPage } from "./refuse-on-page.ts";
import { followCalls } from "./follow-calls.ts";
import { limitLog, mostPathLength, type LimitUserLog } from "./limit-log.ts";
import { limitPhases, type CallPhases } from "./limit-phases.ts";
import type { ProvenCallers } from "./proven-callers.ts";
import { allowCrossOrigin, crossOriginHeaders } from "./allow-cross-origin.ts";
import { describeApi } from "./reference/describe-api.ts";
import { buildHeaders, securityHeaders, type SecurityHeadersOptions } from "./security-headers.ts";
import { serveWeb, type PanelOptions } from "./pages/serve-web.ts";
import { serviceAddresses, type ServiceAddresses, type ServiceUrls } from "./service-urls.ts";
import type { Answered } from "./services.ts";

/** What the application needs to know, whatever its calls do. */
export interface FrameOptions {
  log: Log;
  /** Called after each answer except event streams, for metrics. */
  onAnswered?: (answered: Answered) => void;
  /** Begins a trace with each call; absent without tracing. */
  tracer?: Tracer | null;
  publicUrl: string;
  /** Where the panel finds the API; by default below `/api` of `publicUrl`. */
  serviceUrls?: ServiceUrls | undefined;
  cookie: SessionCookie;
  headers: SecurityHeadersOptions;
  trustedProxyHops: number;
  /** Calls per minute of a session, a known browser or, of all others, an address, for every call without its own limit. */
  callsPerMinute: number;
  /** Smaller for tests. */
  phases?: CallPhases;
  /** Folder of the built panel. */
  webFolder: string;
  panel: PanelOptions;
}

/** What is mounted in it. `SignedIn` is what a handler gets to know about the caller. */
export interface Mounted<SignedIn> {
  findCurrentUser: (token: string) => Promise<SignedIn | null>;
  countCall?: CountCall;
  /** Without it, callers are counted by their address alone. */
  callers?: ProvenCallers;
  limitCalls?: LimitCalls<SignedIn>;
  /** The service's time. */
  now: () => Date;
  /** Below `/api`. */
  calls: (mount: Mount<SignedIn>, api: FastifyInstance) => Promise<void>;
  /** Other pages and calls, before the panel's pages. */
  pages?: (app: FastifyInstance) => Promise<void>;
}

/** 256 KiB: the largest legitimate body is a list of selected apps, about 20 KiB. */
const bodyLimitBytes = 256 * 1024;

/** Builds the application without listening. Call `inject` or `routing` on the result. */
export async function buildFrame<SignedIn extends { userId: string } & OpenedSession>(
  options: FrameOptions,
  mounted: Mounted<SignedIn>,
): Promise<FastifyInstance> {
  const addresses = serviceAddresses(options.publicUrl, options.serviceUrls);
  const headers = withServices(options.headers, addresses);
  const isElsewhere = addresses.otherOrigins.length > 0;
  const { origin: panelOrigin } = new URL(options.publicUrl);
  const phases = options.phases ?? timeLimits;
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    // We log one line per response (below), without the query string.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: bodyLimitBytes,
    trustProxy: (_address, hop) => hop < options.trustedProxyHops,
    genReqId: () => newId(),
    routerOptions: { maxParamLength: 200 },
    // Each call has one path here, wherever it is served: routes, limits, logs and metrics know no other.
    ...(addresses.bases && { rewriteUrl: addresses.ownUrl }),
    // URLs that reach neither a route nor a hook: malformed encoding, or a parameter that is too long.
    frameworkErrors: (error, request, reply) => {
      if (isElsewhere) void reply.headers(crossOriginHeaders(panelOrigin));
      void reply.headers({ ...buildHeaders(headers), "x-request-id": request.id, "cache-control": "no-store" });
      void answerProblem(error, request, reply);
    },
  });
  app.setValidatorCompiler(strictValidatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(refuseOnPage(options.publicUrl));
  readJsonBodies(app);
  const { limitUserLog, limitCallerLog } = limitLog(app, options.log);
  // Synchronous hooks use a callback instead of a promise, which would cost every request a turn of the event loop.
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    done();
  });
  if (isElsewhere) allowCrossOrigin(app, panelOrigin);
  const streams = new WeakSet<ServerResponse>();
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = reply;
    raw.once(streamBegan, () => streams.add(raw));
    let isAnswered = false;
    raw.once("finish", () => (isAnswered = true));
    raw.once("close", () => {
      if (isAnswered) return;
      const facts = { method: request.method, path: loggedPath(request), ms: Math.round(reply.elapsedTime) };
      request.log.info(facts, streams.has(raw) ? "a stream ended" : "the connection closed before the answer");
    });
    done();
  });
  limitPhases(app, phases);
  const traceIdOf = followCalls(app, options.tracer ?? null);
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
      options.onAnswered?.({
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
        max: options.callsPerMinute,
        timeWindow: "1 minute",
        keyGenerator(request) {
          const address = addressSubject(request.ip);
          const caller = mounted.callers?.before(request) ?? address;
          // Who is refused here is not looked up, so nothing later limits the lines of a session that comes from many addresses.
          if (caller !== address) limitCallerLog(request, caller);
          return caller;
        },
        // Only refused callers get these headers; on other responses they would be useless.
        addHeadersOnExceeding: { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false },
        errorResponseBuilder: (_request, context) =>
          new AppError("too_many_requests", { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
      });
      await describeApi(api, headers, isElsewhere ? options.publicUrl : "");
      api.addHook("onRequest", (request, reply, done) => {
        void reply.header("cache-control", "no-store");
        refuseCrossOrigin(request, addresses.callers);
        done();
      });
      const methodsOf = noteMethods(api);
      api.setNotFoundHandler((request, reply) => {
        const methods = methodsOf(request.url);
        if (methods.length === 0) return answerProblem(new AppError("not_found"), request, reply);
        return answerProblem(new AppError("method_not_allowed"), request, reply.header("allow", methods.join(", ")));
      });
      const authenticate = authenticator(options.cookie, mounted, limitUserLog);
      await mounted.calls(createMount<SignedIn>(api, authenticate, { ...mounted, checksMs: phases.checksMs }), api);
    },
    { prefix: "/api" },
  );
  await mounted.pages?.(app);
  await serveWeb(app, options.webFolder, { ...headers, ...options.panel, bases: addresses.bases, isElsewhere });
  await app.ready();
  return app;
}

/** What the panel's pages may use: calls go to the services, and the node catalogue has pictures. */
function withServices(headers: SecurityHeadersOptions, { otherOrigins, pictureOrigins }: ServiceAddresses): SecurityHeadersOptions {
  const { outside } = headers;
  const connect = [...otherOrigins, ...outside.connect];
  return { ...headers, outside: { ...outside, connect, image: [...pictureOrigins, ...outside.image] } };
}

/** The path without query, and without the token of a link that has it in its path. */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes(":token") ? routeOptions.url : url.split("?")[0]!.slice(0, mostPathLength);
}

/** The call that every page starts with, and that the panel repeats after another call was refused. */
const whoIsThere = `/api${routes.me.path}`;

/**
 * Finds the signed-in user; null without a token. A token of an ended session is "Session expired". Only the call for the current user
 * clears the cookie: any other call may arrive late and would remove a newer cookie. Pages send the user they were rendered for, and a
 * call is refused if another user has signed in since.
 */
function authenticator<SignedIn extends { userId: string } & OpenedSession>(
  ownCookie: SessionCookie,
  { findCurrentUser, callers }: Pick<Mounted<SignedIn>, "findCurrentUser" | "callers">,
  limitUserLog: LimitUserLog,
): Authenticate<SignedIn> {
  return async (request, reply) => {
    const token = sessionToken(request, ownCookie);
    if (!token) return null;
    const current = await findCurrentUser(token);
    callers?.noteSession(token, current?.sessionId ?? null);
    if (!current) {
      if (request.routeOptions.url === whoIsThere && !bearerToken(request)) clearSessionCookie(reply, ownCookie);
      throw new AppError("session_expired");
    }
    limitUserLog(request, current.userId);
    const drawnFor = request.headers[personHeader];
    if (drawnFor !== undefined && drawnFor !== current.userId) throw new AppError("other_person");
    return current;
  };
}
