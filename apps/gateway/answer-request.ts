/** One request from the front door to the workspace: let in, held, retried once, or refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { streamBegan } from "#platform/http/stream-events.ts";
import { closedRefusal, isComing, isLetIn, type ReachableRoute } from "./admission.ts";
import type { GatewayContext, UnownedCall } from "./create-gateway.ts";
import type { LeaveCall } from "./routes/call-queue.ts";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { placesFor } from "./routes/places.ts";
import { weighBody, type WeighedBody } from "./routes/weigh-body.ts";
import { siteOf } from "./headers/client-address.ts";
import { isAmbiguous } from "./headers/is-ambiguous.ts";
import { isReading } from "./headers/is-reading.ts";
import { hasBody } from "./upstream/request-body.ts";
import { slowestOf, type SlowReader } from "./upstream/slow-reader.ts";
import type { Upstream } from "./upstream/upstreams.ts";
import { displacedListenerLine, tooManyListenersLine } from "./upstream/listeners.ts";
import { proxyRequest, type BreakOffReason, type ProxyFailure } from "./upstream/proxy-request.ts";
import { refusals, type Refusal } from "./refusals/refusal.ts";
import { isNavigation, sendRefusal, sendRobots, sendUnowned } from "./refusals/send-refusal.ts";
import { stateOf, traceWake } from "./trace-wake.ts";

/** Requests that waited for a start are released together: those beyond the workspace's limit retry after this time. */
const crowdedMs = 25;

/** Each request has one time limit for all its waiting and at most one immediate retry. */
interface Visit {
  context: GatewayContext;
  req: IncomingMessage;
  res: ServerResponse;
  accountName: string;
  isProbe: boolean;
  /** Whether another host's gateway passed it on. */
  isPassed: boolean;
  isWebhook: boolean;
  isCall: boolean;
  /** Calls by strangers take places among those on which their workspace works, and so do all requests with a body. Null: it needs none. */
  body: WeighedBody | null;
  /** As `performance.now` counts, like the other times. */
  beganAt: number;
  /** When the head of the workspace's answer arrived, if the request is a call of a webhook. */
  answeredAt: number | null;
  /** Null until it is known. */
  workspaceId: string | null;
  /** Whether it was passed on to the gateway of the workspace's host. */
  isGivenAway: boolean;
  /** Whether it has that place. */
  hasPlace: boolean;
  /** Gives it back. */
  leavePlace: LeaveCall;
  /** Set once its workspace had to wait for it to read. */
  slowReader: SlowReader | null;
  /** When its waiting must end; null: it has not waited yet. */
  waitUntil: number | null;
  wasRetried: boolean;
  /** Our own answer, if it was refused. */
  refusal: Refusal | null;
  /** The workspace broke off its answer. */
  isBrokenOff: boolean;
  /** Our own probes, and what monitors and scanners request, neither wake a workspace nor keep it awake. */
  isUse: boolean;
}

export const unknownWebhooksLine = "the webhooks of a sleeping workspace could not be looked up";

const brokenOff: Record<BreakOffReason, string> = {
  workspace: "a workspace broke off an answer",
  "slow reader": "an answer was broken off because it was read too slowly",
  listener: displacedListenerLine,
};

const failureRefusals: Record<ProxyFailure, Refusal> = {
  "not-sent": refusals.offline,
  stale: refusals.brokeOff,
  "broke-off": refusals.brokeOff,
  "timed-out": refusals.timedOut,
  "body-late": refusals.bodyLate,
  malformed: refusals.badRequest,
};

/** Answers the request from the workspace or with a refusal; never throws. */
export function answerRequest(context: GatewayContext, req: IncomingMessage, res: ServerResponse, accountName: string): void {
  const isProbe = context.isProbe(req);
  const isCall = !isProbe && context.isCall(req.method!, req.url!);
  const { sleep } = context;
  const visit: Visit = {
    context,
    req,
    res,
    accountName,
    isProbe,
    isPassed: context.isPassed(req),
    isWebhook: !isProbe && context.webhooks?.isCall(req.method!, req.url!) === true,
    isCall,
    body: isCall || (!isProbe && (!context.knowsCalls || hasBody(req))) ? weighBody(req) : null,
    beganAt: performance.now(),
    answeredAt: null,
    workspaceId: null,
    isGivenAway: false,
    hasPlace: false,
    leavePlace: () => undefined,
    slowReader: null,
    waitUntil: null,
    wasRetried: false,
    refusal: null,
    isBrokenOff: false,
    isUse: !isProbe && !sleep?.monitored.test(req.url!) && !sleep?.absent.test(req.url!),
  };
  if (context.onAnswered || visit.isWebhook) measure(visit);
  if (isAmbiguous(req)) return refuse(visit, refusals.badRequest);
  // A probe comes right after a change, perhaps before its notification.
  const found = isProbe ? context.routes.refresh(accountName) : context.routes.find(accountName);
  if (found instanceof Promise) admitLater(visit, found);
  else admit(visit, found);
}

function measure(visit: Visit): void {
  const { res, context, beganAt } = visit;
  res.once("close", () => {
    context.onAnswered?.({ outcome: outcomeOf(visit), ms: performance.now() - beganAt });
    if (visit.isWebhook) noteCall(visit);
  });
}

/**
 * Counts a call of a webhook in the gateway that answers it: a call passed on to another gateway is counted there, unless it did not get
 * that far.
 */
function noteCall({ context, res, refusal, workspaceId, isGivenAway, isBrokenOff, beganAt, answeredAt, waitUntil }: Visit): void {
  if (workspaceId === null || (isGivenAway && refusal === null)) return;
  const isAnswered = answeredAt !== null && refusal === null && !isBrokenOff;
  context.webhooks?.note(workspaceId, {
    status: isAnswered ? res.statusCode : null,
    ms: isAnswered ? answeredAt - beganAt : 0,
    hasWaited: waitUntil !== null,
  });
}

function outcomeOf({ res, refusal, isBrokenOff }: Visit): string {
  if (isBrokenOff) return refusals.brokeOff.code;
  return res.writableFinished ? (refusal?.code ?? `${Math.floor(res.statusCode / 100)}xx`) : "left";
}

function admit(visit: Visit, route: GatewayRoute | null): void {
  const { context, res } = visit;
  if (res.destroyed) return;
  if (context.isClosed()) return refuse(visit, refusals.unavailable);
  if (route === null) return refuse(visit, refusals.unknown);
  visit.workspaceId = route.workspaceId;
  const isAbsent = !visit.isProbe && context.sleep?.absent.test(visit.req.url!) === true;
  if (isAbsent && isRobots(visit.req)) return sendRobots(visit.req, res, context.panelUrl);
  if (route.elsewhere && visit.isPassed) return returnPassed(visit);
  if (isLetIn(route, visit.isProbe)) return use(visit, route);
  // Whatever the workspace's state, it does not have this.
  if (isAbsent) return refuse(visit, refusals.notFound);
  if (route.state === "asleep" && mayWait(visit, true)) return answerSleeping(visit, route);
  if (isComing(route) && mayWait(visit)) return void waitFor(visit, route);
  refuse(visit, closedRefusal(route));
}

const isRobots = ({ method, url }: IncomingMessage): boolean => isReading(method) && /^\/robots\.txt(?:\?|$)/i.test(url!);

/** The two gateways disagree about where the workspace is: one of them has not been notified yet. A request is passed on only once. */
function returnPassed(visit: Visit): void {
  if (visit.wasRetried) return refuse(visit, refusals.unavailable);
  visit.wasRetried = true;
  admitLater(visit, visit.context.routes.refresh(visit.accountName));
}

/** Starting takes so long that a person sees the status page immediately; a program prefers a late response. Waking takes a moment. */
function mayWait({ waitUntil, isProbe, req }: Visit, isAsleep = false): boolean {
  return !isProbe && (isAsleep || !isNavigation(req)) && (waitUntil === null || performance.now() < waitUntil);
}

/** Nothing is passed on before it is recorded, because the workspace may be falling asleep at this moment. */
function use(visit: Visit, route: ReachableRoute): void {
  const { sleep } = visit.context;
  if (sleep === null || !visit.isUse || route.elsewhere) return forward(visit, route);
  const noted = sleep.uses.note(route.workspaceId);
  if (noted === "awake") return forward(visit, route);
  noted.then(
    (state) => (state === "asleep" ? hold(visit, route) : forward(visit, route)),
    // Without the database, a workspace known to be open stays reachable; if it is in fact asleep, it is woken as soon as the use is
    // recorded.
    () => forward(visit, route),
  );
}

/** Requests that would only be refused, and health checks, do not wake a workspace. */
function answerSleeping(visit: Visit, route: GatewayRoute): void {
  const { req, res } = visit;
  const { sleep } = visit.context;
  if (sleep?.monitored.test(req.url!))
    return void res.writeHead(200, asleepHeaders).end(req.method === "HEAD" ? undefined : '{"status":"ok"}');
  const refusing = sleep?.refuseCall?.(visit.accountName, req.method!, req.url!) ?? null;
  if (refusing === null) return hold(visit, route);
  refusing.then(
    (unowned) => (unowned === null ? hold(visit, route) : answerUnowned(visit, unowned)),
    // What cannot be found out must not cost a call.
    (err: unknown) => {
      const { log, mayLog } = visit.context;
      if (mayLog(route.workspaceId)) log.warn({ err, workspaceId: route.workspaceId }, unknownWebhooksLine);
      hold(visit, route);
    },
  );
}

/** On the workspace's behalf: it counts as its own answer. */
function answerUnowned(visit: Visit, unowned: UnownedCall): void {
  const { req, res } = visit;
  const { panelUrl } = visit.context;
  visit.answeredAt = performance.now();
  if (unowned === "page") return sendRefusal(req, res, refusals.notFound, panelUrl);
  sendUnowned(req, res, unowned.json, panelUrl);
}

/** Holds the request until the workspace has been woken. If the workspace must be started first, a person sees a page until then. */
function hold(visit: Visit, route: GatewayRoute): void {
  if (visit.res.destroyed) return;
  const { workspaceId } = route;
  const { sleep, waitingRoom, limits } = visit.context;
  const trace = traceWake(visit.context.tracer, workspaceId);
  if (route.isCold && isNavigation(visit.req)) {
    void trace.run(() => sleep?.uses.wake(workspaceId, AbortSignal.timeout(limits.maxWaitMs)))?.then(() => trace.end("page"));
    return refuse(visit, closedRefusal(route));
  }
  const gone = waitFor(visit, route, trace.end);
  // It may have been woken before the waiting began, so the route is read once more.
  void trace.run(() => sleep?.uses.wake(workspaceId, gone))?.then(() => waitingRoom.wake(visit.accountName));
}

const asleepHeaders = { "content-type": "application/json", "cache-control": "no-store", "x-slipway-workspace": "asleep" };

function admitLater(visit: Visit, finding: Promise<GatewayRoute | null>): void {
  finding.then(
    (route) => admit(visit, route),
    (error: unknown) => {
      if (visit.context.mayLog(visit.accountName))
        visit.context.log.error({ err: error, accountName: visit.accountName }, "the route of a workspace could not be looked up");
      refuse(visit, refusals.unavailable);
    },
  );
}

/** The signal ends when the visitor leaves, or the waiting is over; `onOver` is told the workspace's state then. */
function waitFor(visit: Visit, known: GatewayRoute, onOver?: (state: string) => void): AbortSignal {
  visit.waitUntil ??= performance.now() + visit.context.limits.maxWaitMs;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  visit.res.on("close", onClose);
  const { waitingRoom } = visit.context;
  void waitingRoom.wait(visit.accountName, known, gone.signal, visit.waitUntil - performance.now(), visit.body).then((route) => {
    visit.res.off("close", onClose);
    gone.abort();
    onOver?.(stateOf(route));
    return route === "full" ? refuse(visit, visit.body ? refusals.tooManyCalls : refusals.busy) : admit(visit, route);
  });
  return gone.signal;
}

/** Lets a call in, now or when those before it have been answered. Its place is kept until it has been answered, also while it waits again. */
function takePlace(visit: Visit, route: ReachableRoute, body: WeighedBody): void {
  const { context, req, res } = visit;
  if (res.destroyed) return;
  const { limits, calls } = context;
  const until = visit.waitUntil ?? performance.now() + limits.maxWaitMs;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  const enter = (leave: LeaveCall): void => {
    visit.hasPlace = true;
    visit.leavePlace = leave;
    res.once("close", leave);
    // An idle listener, such as a client of an MCP server: it would keep its place for hours. What a POST streams is work.
    if (req.method === "GET") res.once(streamBegan, leave);
  };
  const { key, atOnce, each } = placesFor(route, { isCall: visit.isCall, knowsCalls: context.knowsCalls, limits });
  const call = { isUploading: body.isUploading, weight: () => each + body.weight(), slowReader: () => visit.slowReader };
  const entered = calls.enter(key, atOnce, until - performance.now(), gone.signal, call);
  if (entered === "full") return refuse(visit, refusals.tooManyCalls);
  if (!(entered instanceof Promise)) {
    enter(entered);
    return forward(visit, route);
  }
  visit.waitUntil = until;
  res.on("close", onClose);
  void entered.then((leave) => {
    res.off("close", onClose);
    if (leave === "late") return refuse(visit, context.isClosed() ? refusals.unavailable : refusals.tooManyCalls);
    if (res.destroyed) return leave();
    enter(leave);
    // It may have fallen asleep, moved or died while the call waited.
    admitLater(visit, Promise.resolve(context.routes.find(visit.accountName)));
  });
}

function forward(visit: Visit, route: ReachableRoute): void {
  const { context, req, res } = visit;
  // They may have left while their use was recorded. Nothing would end the exchange, which would keep its place forever.
  if (res.destroyed) return;
  // Another host's gateway lets its own in.
  const { body } = visit;
  if (body !== null && !visit.hasPlace && !route.elsewhere) {
    // The body that comes with its head is here in a moment: then it is no upload.
    if (body.isUploading()) return void setImmediate(() => takePlace(visit, route, body));
    return takePlace(visit, route, body);
  }
  const upstream = context.upstreams.of(route);
  visit.isGivenAway = route.elsewhere !== undefined;
  // Our own probe is let in, or a busy workspace would seem to be down.
  if (upstream.inFlight >= context.limits.maxInFlight && !visit.isProbe && !makesRoom(upstream)) {
    if (visit.waitUntil === null || !mayWait(visit)) return refuse(visit, refusals.busy);
    return void setTimeout(() => admitLater(visit, Promise.resolve(context.routes.find(visit.accountName))), crowdedMs);
  }
  if (!visit.isProbe && !route.elsewhere) context.visits?.note(route.workspaceId);
  proxyRequest({
    req,
    res,
    upstream,
    workspaceId: route.workspaceId,
    countingDay: route.elsewhere ? null : (context.executions?.dayFor(req.url!) ?? null),
    headers: context.headersFor(req, route),
    headersTimeoutMs: context.limits.headersTimeoutMs,
    uploadSilenceMs: context.limits.uploadSilenceMs,
    readSilenceMs: context.limits.readSilenceMs,
    slowReadMs: context.limits.slowReadMs,
    isUse: visit.isUse,
    onFailure: (failure, error) => recover(visit, route, failure, error),
    listen: (breakOff) => listen(visit, route, upstream, breakOff),
    onBody: body?.notePassedOn,
    onHead: visit.isWebhook ? () => (visit.answeredAt = performance.now()) : undefined,
    onSlowReader: (reader) => (visit.slowReader = reader),
    // What is left of the answer is here. Its visitor may never read it.
    onEnd: visit.leavePlace,
    onBreakOff: (because) => {
      if (because === "workspace") visit.isBrokenOff = true;
      if (context.mayLog(route.workspaceId))
        context.log.warn({ workspaceId: route.workspaceId, address: route.address }, brokenOff[because]);
    },
  });
}

/** Breaks off the slowest of those who read too slowly, so that they keep no other visitor out. Whether there was one. */
function makesRoom({ slowReaders }: Upstream): boolean {
  const slowest = slowestOf(slowReaders);
  slowest?.breakOff();
  return slowest !== null;
}

/** A visitor who may stay for as long as they like; null if there are too many, and the visitor was told so. */
function listen(visit: Visit, route: ReachableRoute, { listeners }: Upstream, breakOff: () => void): (() => void) | null {
  const { context, req } = visit;
  const leave = listeners.enter({
    isStranger: context.isStranger(req.url!),
    site: siteOf(context.addressOf(req)),
    isAnswered: true,
    breakOff,
  });
  if (leave) return leave;
  if (context.mayLog(route.workspaceId)) context.log.warn({ workspaceId: route.workspaceId }, tooManyListenersLine);
  refuse(visit, refusals.tooManyListeners);
  return null;
}

function recover(visit: Visit, route: ReachableRoute, failure: ProxyFailure, error: Error): void {
  const { log, routes, mayLog } = visit.context;
  const isRepeatable = failure === "not-sent" || (failure === "stale" && visit.context.mayRepeat(visit.req.url!));
  if (isRepeatable && !visit.wasRetried) {
    visit.wasRetried = true;
    // Nothing listened at the cached address, so the cache may be out of date.
    if (failure === "not-sent") return admitLater(visit, routes.refresh(visit.accountName));
    return forward(visit, route);
  }
  // The workspace died a moment ago, unnoticed so far. Nothing was sent, so the request waits as for any start.
  if (failure === "not-sent" && route.elsewhere !== "silent" && mayWait(visit)) return void waitFor(visit, route);
  if (failure !== "malformed" && mayLog(route.workspaceId)) {
    log.warn(
      { workspaceId: route.workspaceId, address: route.address, failure, reason: error.message },
      "a workspace did not answer a request",
    );
  }
  refuse(visit, failureRefusals[failure]);
}

function refuse(visit: Visit, refusal: Refusal): void {
  visit.refusal = refusal;
  sendRefusal(visit.req, visit.res, refusal, visit.context.panelUrl);
}
