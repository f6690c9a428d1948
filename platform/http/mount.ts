/** Mounts a call of the contract: its handler gets parsed input and returns the answer; everything else is the same for all. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { problem } from "#contract/api/problem.ts";
import type { RouteAnswer, RouteBody, RouteContract, RouteParams, RouteQuery } from "#contract/api/route.ts";
import { asksPassword, rightsOf } from "#contract/session-rights.ts";
import { AppError } from "../app-error.ts";
import { createGate } from "../loops/gate.ts";
import { TookTooLong, within } from "../loops/within.ts";
import { timeLimits } from "../time-limits.ts";
import { Redirect } from "./redirect.ts";
import { refuseSession, type OpenedSession } from "./refuse-session.ts";
import { refuseUnstorableText } from "./refuse-unstorable-text.ts";
import { refuseFields } from "./strict-shapes.ts";

/** Everything a handler may know about the request. */
interface Call<Route extends RouteContract, SignedIn> {
  body: RouteBody<Route>;
  params: RouteParams<Route>;
  query: RouteQuery<Route>;
  /** Present on routes with `auth: "session"`. */
  signedIn: Route["auth"] extends "session" ? SignedIn : undefined;
  /** The caller's address, for limits and the audit log. */
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Handler<Route extends RouteContract, SignedIn> = (call: Call<Route, SignedIn>) => Promise<RouteAnswer<Route> | void>;

interface MountOptions {
  /** Calls a minute and address; a route without a limit has the API's general one. */
  perMinute?: number;
  /** How many of these calls run at the same time, for all callers together; others wait. For public calls that write or hash. */
  atOnce?: number;
}

/** A few seconds of the slowest such call; later callers are asked to retry. */
const mostWaiting = 100;
/** A flooding client that waits a second takes no place in a queue and costs no work. */
const refuseAfterMs = 1_000;

export type Mount<SignedIn> = <const Route extends RouteContract>(
  route: Route,
  handler: Handler<Route, SignedIn>,
  options?: MountOptions,
) => void;

/** If a body took longer than this to arrive, its session may have ended: then it is looked up again. */
const freshForMs = 1_000;

/**
 * A limit of up to so many calls is for something that could be abused, and holds for all processes together; a
 * larger one protects each process.
 */
const mostShared = 60;

/** Counts a call of this route by this address, in all processes; throws if there were more than `perMinute`. */
export type CountCall = (route: string, address: string, perMinute: number) => Promise<void>;

/** Counts a signed-in call; throws if the session or its account made too many. */
export type LimitCalls<SignedIn> = (route: RouteContract, signedIn: SignedIn) => Promise<void>;

/** The caller, or null without a session; throws if a session has ended. */
export type Authenticate<SignedIn> = (request: FastifyRequest, reply: FastifyReply) => Promise<SignedIn | null>;

interface MountSettings<SignedIn> {
  now: () => Date;
  countCall?: CountCall | undefined;
  limitCalls?: LimitCalls<SignedIn> | undefined;
  checksMs?: number | undefined;
}

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Runs the checks one after the other, within one time limit. Refuses (AppError) unavailable: nothing has happened yet. */
function checkBefore(checks: readonly Check[], mostMs: number): Check {
  const checkAll: Check = async (request, reply) => {
    for (const check of checks) await check(request, reply);
  };
  return (request, reply) =>
    within(mostMs, "the checks of a call", checkAll(request, reply)).catch((error: unknown) => {
      throw error instanceof TookTooLong ? new AppError("unavailable", { internal: error.message, cause: error }) : error;
    });
}

/**
 * Builds the mounting function of an API whose requests are authenticated by `authenticate`. If a call needs a session, that, and whether
 * such a session may make it (contract/session-rights.ts), is checked first: the body of a refused request is neither read nor checked.
 */
export function createMount<SignedIn extends OpenedSession>(
  app: FastifyInstance,
  authenticate: Authenticate<SignedIn>,
  { now, countCall = async () => undefined, limitCalls = async () => undefined, checksMs = timeLimits.checksMs }: MountSettings<SignedIn>,
): Mount<SignedIn> {
  const arrived = new WeakMap<FastifyRequest, { signedIn: SignedIn; atMs: number }>();
  const signIn = async (route: RouteContract, request: FastifyRequest, reply: FastifyReply): Promise<SignedIn> => {
    const signedIn = await authenticate(request, reply);
    if (signedIn === null) throw new AppError("signed_out");
    refuseSession(rightsOf(route), signedIn, request.params, now());
    arrived.set(request, { signedIn, atMs: performance.now() });
    return signedIn;
  };
  const stillSignedIn = (route: RouteContract, request: FastifyRequest, reply: FastifyReply): SignedIn | Promise<SignedIn> => {
    const known = arrived.get(request);
    return known && performance.now() - known.atMs < freshForMs ? known.signedIn : signIn(route, request, reply);
  };
  return (route, handler, options = {}) => {
    const { perMinute } = options;
    const problemCodes = new Set<string>(["validation_failed", ...route.problems, ...(asksPassword(route) ? ["password_needed"] : [])]);
    const beforeBody: Check[] = [];
    // After this process's own limit, which refuses a flood without asking the database.
    if (perMinute && perMinute <= mostShared) beforeBody.push(({ ip }) => countCall(`${route.method} ${route.path}`, ip, perMinute));
    // Not earlier: of the hooks for a request's head, the rate limit comes last, and must count callers who are refused here as well.
    if (route.auth === "session") beforeBody.push(async (request, reply) => limitCalls(route, await signIn(route, request, reply)));
    const gate = options.atOnce ? createGate({ atOnce: options.atOnce, mostWaiting, what: `calls of ${route.path}`, refuseAfterMs }) : null;
    app.route({
      method: route.method,
      url: route.path,
      schema: {
        summary: route.summary,
        tags: [route.tag],
        ...(route.body ? { body: route.body } : {}),
        ...(route.params ? { params: route.params } : {}),
        ...(route.query ? { querystring: route.query } : {}),
        response: {
          [route.success.status]: route.success.body ?? z.null(),
          default: problem.describe(`One of: ${[...problemCodes].join(", ")}`),
        },
        ...(route.auth === "session" ? { security: [{ session: [] }, { bearer: [] }] } : {}),
      },
      config: {
        ...(perMinute ? { rateLimit: { max: perMinute, timeWindow: "1 minute" } } : {}),
        // A HEAD that the contract names is a separate call, and described like the others.
        ...(route.method === "HEAD" ? { swagger: { exposeHeadRoute: true } } : {}),
      },
      ...(beforeBody.length > 0 ? { preParsing: checkBefore(beforeBody, checksMs) } : {}),
      preValidation: (request, _reply, done) => {
        refuseUnstorableText(request.params);
        refuseUnstorableText(request.body);
        if (!route.body) refuseFields(request.body);
        done();
      },
      handler: async (request, reply) => {
        const signedIn = route.auth === "session" ? await stillSignedIn(route, request, reply) : undefined;
        // Of a stream a HEAD asks for the head alone: it ends at once, and takes no place of those that a session has for streams.
        if (route.success.stream && request.method === "HEAD")
          return reply.type("text/event-stream; charset=utf-8").header("cache-control", "no-store").send("");
        const { body, params, query } = request;
        const work = () => handler({ body, params, query, signedIn, address: request.ip, request, reply } as never);
        const answer = gate ? await gate.run(work, () => reply.raw.destroyed) : await work();
        if (reply.sent) return reply;
        if (answer instanceof Redirect) return reply.redirect(answer.url);
        return reply.code(route.success.status).send(answer ?? null);
      },
    });
  };
}
