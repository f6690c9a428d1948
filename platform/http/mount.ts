/** Mounts a call of the contract: its handler gets parsed input and returns the answer; everything else is the same for all. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from "fastify";
import { z } from "zod";
import { problem } from "#contract/api/problem.ts";
import type { RouteAnswer, RouteBody, RouteContract, RouteParams, RouteQuery } from "#contract/api/route.ts";
import { asksPassword, isOpenWhileClosed, isOpenWhileSuspended, rightsOf } from "#contract/session-rights.ts";
import { AppError } from "../app-error.ts";
import { createGate } from "../loops/gate.ts";
import { TookTooLong, within } from "../loops/within.ts";
import { timeLimits } from "../time-limits.ts";
import { databaseUnavailable } from "./database-unavailable.ts";
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

interface MountOptions<Route extends RouteContract, SignedIn> {
  /** Calls a minute of a session, a known browser or, of all others, an address; a route without a limit has the API's general one. */
  perMinute?: number;
  /** Counts all callers by their address. For a call that makes sessions: each would otherwise bring its maker more of them. */
  byAddress?: boolean;
  /** How many of these calls run at the same time, for all callers together; others wait. For public calls that write or hash. */
  atOnce?: number;
  /**
   * Of a caller who does not wait among strangers: whom they have proved to be, such as a user and their browser; none for a stranger. Each
   * of them has one call at a time in a second queue with as many places, and waits among the strangers with more.
   */
  apart?: (call: Call<Route, SignedIn>) => Promise<readonly string[]>;
  /**
   * Of a call that shows a secret which works now, such as a mailed link: whose it is; null for any other. Such a call does not wait among
   * strangers, and is counted by its holder: strangers at the same address can't use up what a mail promised. So it is counted only after
   * its body has arrived. Until then, the API's general limit holds.
   */
  holder?: (body: RouteBody<Route>) => Promise<string | null>;
  /** Of an address that browsers open as a page: the panel's page that shows why it was refused. */
  refusedAt?: (query: Readonly<Record<string, unknown>>) => string;
  /**
   * Of a GET that writes, and only of such: what a HEAD does instead of it. It throws what the GET would be refused with, and writes nothing
   * (RFC 9110, 9.2.1).
   */
  head?: (call: Call<Route, SignedIn>) => Promise<void>;
}

/** A few seconds of the slowest such call; later callers are asked to retry. */
const mostWaiting = 100;
/** A flooding client that waits a second takes no place in a queue and costs no work. */
const refuseAfterMs = 1_000;

export type Mount<SignedIn> = <const Route extends RouteContract>(
  route: Route,
  handler: Handler<Route, SignedIn>,
  options?: MountOptions<Route, SignedIn>,
) => void;

/** If a body took longer than this to arrive, its session may have ended: then it is looked up again. */
const freshForMs = 1_000;

/**
 * A limit of up to so many calls is for something that could be abused, and holds for all processes together; a
 * larger one protects each process.
 */
const mostShared = 60;

/** Counts a call of this route by this caller, in all processes; throws if there were more than `perMinute`. */
export type CountCall = (route: string, caller: string, perMinute: number) => Promise<void>;

/** By what callers are counted: those who have proved who they are by that, all others by their address. */
export interface CountedCallers {
  /** What this process counts by, before anything is looked up. */
  before(request: FastifyRequest): string;
  /** Looks up what the request claims, if it was not lately. */
  check(request: FastifyRequest): Promise<void>;
  /** What it is counted by now. */
  subjectOf(request: FastifyRequest): string;
}

/**
 * What a call's callers are counted by, as far as they have proved it: `session` by session, else by known browser, else by address;
 * `browser` by known browser, else by address. Without it, by address.
 */
type CountedBy = "session" | "browser" | "address";
declare module "fastify" {
  interface FastifyContextConfig {
    countedBy?: CountedBy;
    refusedAt?: (query: Readonly<Record<string, unknown>>) => string;
  }
}

/** Counts a signed-in call; throws if the session or its account made too many. */
export type LimitCalls<SignedIn> = (route: RouteContract, signedIn: SignedIn) => Promise<void>;

/** The caller, or null without a session; throws if a session has ended. */
export type Authenticate<SignedIn> = (request: FastifyRequest, reply: FastifyReply) => Promise<SignedIn | null>;

interface MountSettings<SignedIn> {
  now: () => Date;
  countCall?: CountCall | undefined;
  callers?: CountedCallers | undefined;
  limitCalls?: LimitCalls<SignedIn> | undefined;
  checksMs?: number | undefined;
}

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const byAddressAlone: CountedCallers = { before: ({ ip }) => ip, check: async () => undefined, subjectOf: ({ ip }) => ip };

type Door<Call> = <T>(call: Call, holder: string | null, work: () => Promise<T>, isGone: () => boolean) => Promise<T>;

/** Where calls wait for their turn: strangers in one queue, those who are known in another, whose places no stranger takes. */
function createDoor<Route extends RouteContract, SignedIn>(
  { path }: RouteContract,
  { atOnce, apart, holder: findHolder }: MountOptions<Route, SignedIn>,
): Door<Call<Route, SignedIn>> {
  if (!atOnce) return (_call, _holder, work) => work();
  const strangers = createGate({ atOnce, mostWaiting, what: `calls of ${path}`, refuseAfterMs });
  if (!apart && !findHolder) return (_call, _holder, work, isGone) => strangers.run(work, isGone);
  const known = createGate({ atOnce, mostWaiting, what: `calls of ${path} by known callers`, refuseAfterMs });
  const inside = new Set<string>();
  let places = atOnce + mostWaiting;
  return async (call, holder, work, isGone) => {
    const who = holder === null ? ((await apart?.(call)) ?? []) : [holder];
    if (who.length === 0 || places === 0 || who.some((each) => inside.has(each))) return strangers.run(work, isGone);
    places -= 1;
    for (const each of who) inside.add(each);
    try {
      return await known.run(work, isGone);
    } finally {
      places += 1;
      for (const each of who) inside.delete(each);
    }
  };
}

/** Runs the checks one after the other, within one time limit. Refuses (AppError) unavailable: nothing has happened yet. */
function checkBefore(checks: readonly Check[], mostMs: number): Check {
  const checkAll: Check = async (request, reply) => {
    for (const check of checks) await check(request, reply);
  };
  return (request, reply) =>
    within(mostMs, "the checks of a call", checkAll(request, reply)).catch((error: unknown) => {
      throw error instanceof TookTooLong ? databaseUnavailable(error) : error;
    });
}

/**
 * Builds the mounting function of an API whose requests are authenticated by `authenticate`. If a call needs a session, that, and whether
 * such a session may make it (contract/session-rights.ts), is checked first: the body of a refused request is neither read nor checked.
 */
export function createMount<SignedIn extends OpenedSession>(
  app: FastifyInstance,
  authenticate: Authenticate<SignedIn>,
  {
    now,
    countCall = async () => undefined,
    callers = byAddressAlone,
    limitCalls = async () => undefined,
    checksMs = timeLimits.checksMs,
  }: MountSettings<SignedIn>,
): Mount<SignedIn> {
  const arrived = new WeakMap<FastifyRequest, { signedIn: SignedIn; atMs: number }>();
  const holders = new WeakMap<FastifyRequest, string>();
  const signIn = async (route: RouteContract, request: FastifyRequest, reply: FastifyReply): Promise<SignedIn> => {
    const signedIn = await authenticate(request, reply);
    if (signedIn === null) throw new AppError("signed_out");
    if (signedIn.suspendedAt && !isOpenWhileSuspended(route)) throw new AppError("account_suspended");
    if (signedIn.closedAt && !isOpenWhileClosed(route)) throw new AppError("account_closed");
    refuseSession(rightsOf(route), signedIn, request.params, now());
    arrived.set(request, { signedIn, atMs: performance.now() });
    return signedIn;
  };
  const stillSignedIn = (route: RouteContract, request: FastifyRequest, reply: FastifyReply): SignedIn | Promise<SignedIn> => {
    const known = arrived.get(request);
    return known && performance.now() - known.atMs < freshForMs ? known.signedIn : signIn(route, request, reply);
  };
  return (route, handler, options = {}) => {
    const { perMinute, holder, head } = options;
    if ((route.writes === undefined) !== (head === undefined))
      throw new Error(`what a HEAD of ${route.path} does must be said if its GET writes`);
    const problemCodes = new Set<string>([
      "validation_failed",
      ...route.problems,
      ...(asksPassword(route) ? ["password_needed"] : []),
      ...(isOpenWhileSuspended(route) ? [] : ["account_suspended"]),
      ...(isOpenWhileClosed(route) ? [] : ["account_closed"]),
    ]);
    const count = async (request: FastifyRequest): Promise<void> => {
      if (!perMinute || perMinute > mostShared) return;
      await countCall(`${route.method} ${route.path}`, holders.get(request) ?? callers.subjectOf(request), perMinute);
    };
    // After this process's own limit, which refuses a flood without asking the database.
    const beforeBody: Check[] = [(request) => callers.check(request)];
    if (route.auth === "session")
      // Not earlier: of the hooks for a request's head, the rate limit comes last, and must count callers who are refused here as well.
      beforeBody.push(async (request, reply) => {
        const signedIn = await signIn(route, request, reply).catch(async (error: unknown) => {
          await count(request);
          throw error;
        });
        await count(request);
        await limitCalls(route, signedIn);
      });
    else if (!holder) beforeBody.push(count);
    const findHolder: Check = async (request) => {
      const read = route.body?.safeParse(request.body);
      const found = read?.success && holder ? await holder(read.data as never) : null;
      if (found !== null) holders.set(request, found);
    };
    const refuseShapes: preValidationHookHandler = (request, _reply, done) => {
      refuseUnstorableText(request.params);
      refuseUnstorableText(request.body);
      if (!route.body) refuseFields(request.body);
      done();
    };
    const enter = createDoor(route, options);
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
        ...(perMinute && !holder ? { rateLimit: { max: perMinute, timeWindow: "1 minute" } } : {}),
        countedBy: options.byAddress ? "address" : route.auth === "session" ? "session" : "browser",
        ...(options.refusedAt ? { refusedAt: options.refusedAt } : {}),
        // A HEAD that the contract names is a separate call, and described like the others.
        ...(route.method === "HEAD" ? { swagger: { exposeHeadRoute: true } } : {}),
      },
      preParsing: checkBefore(beforeBody, checksMs),
      preValidation: holder ? [refuseShapes, checkBefore([findHolder, count], checksMs)] : refuseShapes,
      handler: async (request, reply) => {
        const signedIn = route.auth === "session" ? await stillSignedIn(route, request, reply) : undefined;
        // Of a stream a HEAD asks for the head alone: it ends at once, and takes no place of those that a session has for streams.
        if (route.success.stream && request.method === "HEAD")
          return reply.type("text/event-stream; charset=utf-8").header("cache-control", "no-store").send("");
        const { body, params, query } = request;
        const call = { body, params, query, signedIn, address: request.ip, request, reply } as never;
        if (head && request.method === "HEAD") {
          await head(call);
          // Without the GET's answer its length is not known; an empty stream states none.
          return reply.code(route.success.status).send(Readable.from([]));
        }
        const answer = await enter(
          call,
          holders.get(request) ?? null,
          () => handler(call),
          () => reply.raw.destroyed,
        );
        if (reply.sent) return reply;
        if (answer instanceof Redirect) return reply.redirect(answer.url);
        return reply.code(route.success.status).send(answer ?? null);
      },
    });
  };
}
