/** One request from the front door to the workspace: let in, held, retried once, or refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { closedRefusal, isLetIn, isStarting, type ReachableRoute } from "./admission.ts";
import type { GatewayContext } from "./create-gateway.ts";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { isAmbiguous } from "./headers/is-ambiguous.ts";
import { proxyRequest, type ProxyFailure } from "./upstream/proxy-request.ts";
import { refusals, type Refusal } from "./refusals/refusal.ts";
import { isNavigation, sendRefusal } from "./refusals/send-refusal.ts";

/** Requests that waited for a start are released together: those over the workspace's limit retry after this time. */
const crowdedMs = 25;

/** Each request has one time limit for all its waiting and at most one immediate retry. */
interface Visit {
  context: GatewayContext;
  req: IncomingMessage;
  res: ServerResponse;
  accountName: string;
  isProbe: boolean;
  /** When its waiting must end, in the time of `performance.now`; null: it has not waited yet. */
  waitUntil: number | null;
  wasRetried: boolean;
}

const failureRefusals: Record<ProxyFailure, Refusal> = {
  "not-sent": refusals.offline,
  stale: refusals.brokeOff,
  "broke-off": refusals.brokeOff,
  "timed-out": refusals.timedOut,
  malformed: refusals.badRequest,
};

/** Answers the request from the workspace or with a refusal; never throws. */
export function answerRequest(context: GatewayContext, req: IncomingMessage, res: ServerResponse, accountName: string): void {
  const isProbe = context.isProbe(req);
  const visit: Visit = { context, req, res, accountName, isProbe, waitUntil: null, wasRetried: false };
  if (isAmbiguous(req)) return refuse(visit, refusals.badRequest);
  // A probe comes right after a change, perhaps before its notification.
  const found = isProbe ? context.routes.refresh(accountName) : context.routes.find(accountName);
  if (found instanceof Promise) admitLater(visit, found);
  else admit(visit, found);
}

function admit(visit: Visit, route: GatewayRoute | null): void {
  const { context, res } = visit;
  if (res.destroyed) return;
  if (context.isClosed()) return refuse(visit, refusals.unavailable);
  if (route === null) return refuse(visit, refusals.unknown);
  if (isLetIn(route, visit.isProbe)) return forward(visit, route);
  if (isStarting(route) && mayWait(visit)) return wait(visit);
  refuse(visit, closedRefusal(route));
}

/** A person sees the status page immediately; a program prefers a late response. */
function mayWait({ waitUntil, isProbe, req }: Visit): boolean {
  return !isProbe && !isNavigation(req) && (waitUntil === null || performance.now() < waitUntil);
}

function admitLater(visit: Visit, finding: Promise<GatewayRoute | null>): void {
  finding.then(
    (route) => admit(visit, route),
    (error: unknown) => {
      visit.context.log.error({ err: error, accountName: visit.accountName }, "the route of a workspace could not be looked up");
      refuse(visit, refusals.unavailable);
    },
  );
}

function wait(visit: Visit): void {
  visit.waitUntil ??= performance.now() + visit.context.limits.maxWaitMs;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  visit.res.on("close", onClose);
  void visit.context.waitingRoom.wait(visit.accountName, gone.signal, visit.waitUntil - performance.now()).then((route) => {
    visit.res.off("close", onClose);
    return route === "full" ? refuse(visit, refusals.busy) : admit(visit, route);
  });
}

function forward(visit: Visit, route: ReachableRoute): void {
  const { context, req, res } = visit;
  const upstream = context.upstreams.of(route);
  if (upstream.inFlight >= context.limits.maxInFlight) {
    if (visit.waitUntil === null || !mayWait(visit)) return refuse(visit, refusals.busy);
    return void setTimeout(() => admitLater(visit, Promise.resolve(context.routes.find(visit.accountName))), crowdedMs);
  }
  if (!visit.isProbe) context.visits?.note(route.workspaceId);
  proxyRequest({
    req,
    res,
    upstream,
    workspaceId: route.workspaceId,
    countingDay: context.executions?.dayFor(req.url!) ?? null,
    headers: context.headersFor(req),
    headersTimeoutMs: context.limits.headersTimeoutMs,
    onFailure: (failure, error) => recover(visit, route, failure, error),
  });
}

function recover(visit: Visit, route: ReachableRoute, failure: ProxyFailure, error: Error): void {
  const { log, routes } = visit.context;
  const isRepeatable = failure === "not-sent" || failure === "stale";
  if (isRepeatable && !visit.wasRetried) {
    visit.wasRetried = true;
    // Nothing listened at the cached address, so the cache may be out of date.
    if (failure === "not-sent") return admitLater(visit, routes.refresh(visit.accountName));
    return forward(visit, route);
  }
  // The workspace died a moment ago, unnoticed so far. Nothing was sent, so the request waits as for any start.
  if (failure === "not-sent" && mayWait(visit)) return wait(visit);
  if (failure !== "malformed") {
    log.warn(
      { workspaceId: route.workspaceId, address: route.address, failure, reason: error.message },
      "a workspace did not answer a request",
    );
  }
  refuse(visit, failureRefusals[failure]);
}

function refuse(visit: Visit, refusal: Refusal): void {
  sendRefusal(visit.req, visit.res, refusal, visit.context.panelUrl);
}
