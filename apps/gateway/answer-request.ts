/** One request from the door to the workspace: let in, kept waiting, tried once more, or refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { closedRefusal, isLetIn, isStarting, type ReachableRoute } from "./admission.ts";
import type { GatewayContext } from "./create-gateway.ts";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { isAmbiguous } from "./headers/is-ambiguous.ts";
import { proxyRequest, type ProxyFailure } from "./upstream/proxy-request.ts";
import { refusals, type Refusal } from "./refusals/refusal.ts";
import { isNavigation, sendRefusal } from "./refusals/send-refusal.ts";

/** Requests that waited arrive together: those beyond what a workspace may have at once come in one after the other. */
const crowdedMs = 25;

/** Each request waits within one time, and is tried again at once at most once. */
interface Visit {
  context: GatewayContext;
  req: IncomingMessage;
  res: ServerResponse;
  accountName: string;
  isProbe: boolean;
  /** Until when it may go on waiting, by the time of `performance.now`; null: it did not wait yet. */
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

/** Answers the request, by the workspace or with a refusal; never throws. */
export function answerRequest(context: GatewayContext, req: IncomingMessage, res: ServerResponse, accountName: string): void {
  const isProbe = context.isProbe(req);
  const visit: Visit = { context, req, res, accountName, isProbe, waitUntil: null, wasRetried: false };
  if (isAmbiguous(req)) return refuse(visit, refusals.badRequest);
  // A probe follows a change at once, perhaps ahead of its notification.
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

/** A person sees at once what is going on; a program would rather have its answer late. */
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
    // Nobody listened where we remember the workspace: the memory may be out of date.
    if (failure === "not-sent") return admitLater(visit, routes.refresh(visit.accountName));
    return forward(visit, route);
  }
  // It died a moment ago and nobody has noticed yet: nothing was sent, so this waits as for any start.
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
