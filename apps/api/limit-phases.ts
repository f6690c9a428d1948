/**
 * Limits the time of each phase of a call: reading its body, its handler, and writing its answer. A call that takes too long is answered
 * and leaves a line in the log. Its handler can't be stopped: what it still does is fenced by what it holds, and its end is logged.
 */
import { PassThrough, type Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import { AppError } from "#platform/app-error.ts";
import { streamBegan } from "#platform/http/stream-events.ts";
import { withBudget } from "#platform/loops/time-budget.ts";
import type { timeLimits } from "#platform/time-limits.ts";

/** Those of platform/time-limits.ts; smaller for tests. */
export type CallPhases = Record<
  keyof Pick<typeof timeLimits, "checksMs" | "bodyMs" | "bodySilenceMs" | "handlerMs" | "outsideMs" | "answerSilenceMs">,
  number
>;

/** A late handler has usually ended after this. */
const laterSeconds = 10;

/** Limits all routes that are added from now on. What comes before the body is limited where it is checked (platform/http/mount.ts). */
export function limitPhases(app: FastifyInstance, limits: CallPhases): void {
  const limited = new WeakSet<RouteHandlerMethod>();
  app.addHook("onRoute", (route) => {
    // The HEAD of a route has its handler and its hooks.
    if (limited.has(route.handler)) return;
    route.handler = limitHandler(route.handler, limits);
    limited.add(route.handler);
    limitBody(route, limits);
  });
  const limitAnswer = (request: FastifyRequest, { raw }: FastifyReply): void => {
    raw.setTimeout(limits.answerSilenceMs, () => {
      request.log.warn({ silentMs: limits.answerSilenceMs }, "a client did not read its answer");
      raw.destroy();
    });
  };
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.once(streamBegan, () => limitAnswer(request, reply));
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    limitAnswer(request, reply);
    done(null, payload);
  });
}

function limitHandler(handler: RouteHandlerMethod, limits: CallPhases): RouteHandlerMethod {
  return function (request, reply) {
    const work = withBudget(limits.outsideMs, () => handler.call(this, request, reply));
    return work instanceof Promise ? answered(work, request, reply, limits.handlerMs) : work;
  };
}

async function answered(work: Promise<unknown>, request: FastifyRequest, reply: FastifyReply, handlerMs: number): Promise<unknown> {
  const beganMs = performance.now();
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), handlerMs);
  try {
    // Once its answer has begun, a handler may wait for its end.
    const first = await Promise.race([work, late.promise]);
    if (first !== "late" || reply.sent || reply.raw.headersSent) return await work;
  } finally {
    clearTimeout(timer);
  }
  const took = () => ({ route: request.routeOptions.url, ms: Math.round(performance.now() - beganMs) });
  request.log.warn(took(), "a call took too long and was answered before it ended");
  work.then(
    () => request.log.info(took(), "a call that was answered before has ended"),
    (err: unknown) => request.log.warn({ ...took(), err }, "a call that was answered before has failed"),
  );
  throw new AppError("still_in_progress", { internal: "the handler took too long", retryAfterSeconds: laterSeconds });
}

/** The last of the route's own hooks: the body is read from then on, so that slow checks do not take the sender's time. */
function limitBody(route: RouteOptions, limits: CallPhases): void {
  const own = route.preParsing === undefined ? [] : [route.preParsing].flat();
  route.preParsing = [
    ...own,
    (request, reply, payload, done) => done(null, request.raw.complete ? payload : inTime(payload as Readable, reply, limits)),
  ];
}

/** The body, which ends with an error if it takes too long as a whole or pauses for too long. */
function inTime(body: Readable, reply: FastifyReply, { bodyMs, bodySilenceMs }: CallPhases): Readable {
  const timed = new PassThrough();
  // Without a reader, which refused the body or has not begun yet, an error ends nothing.
  timed.on("error", () => undefined);
  const end = (): void => {
    // The rest of the body is not read, so the connection is of no further use.
    void reply.header("connection", "close");
    timed.destroy(new AppError("body_too_slow", { internal: "the body took too long" }));
  };
  const timers = [setTimeout(end, bodyMs), setTimeout(end, bodySilenceMs)] as const;
  body.on("data", () => timers[1].refresh());
  body.once("error", (error) => timed.destroy(error));
  timed.once("close", () => timers.forEach(clearTimeout));
  return body.pipe(timed);
}
