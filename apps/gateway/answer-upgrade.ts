/** One WebSocket handshake from the front door to the workspace, or a plain refusal. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { closedRefusal, isLetIn } from "./admission.ts";
import type { GatewayContext } from "./create-gateway.ts";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { stateOf, traceWake } from "./trace-wake.ts";
import { unknownWebhooksLine } from "./answer-request.ts";
import { siteOf } from "./headers/client-address.ts";
import { isAmbiguous } from "./headers/is-ambiguous.ts";
import { refusals, type Refusal } from "./refusals/refusal.ts";
import { refuseUpgrade } from "./refusals/send-refusal.ts";
import { displacedListenerLine, tooManyListenersLine, type Listener } from "./upstream/listeners.ts";
import { isWebSocketHandshake, tunnelUpgrade } from "./upstream/tunnel-upgrade.ts";

/**
 * Connects visitor and workspace, or refuses. Waits for a workspace that is waking, but not for one that is starting, because editors
 * reconnect automatically.
 */
export async function answerUpgrade(
  context: GatewayContext,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  accountName: string,
): Promise<void> {
  socket.on("error", () => socket.destroy());
  if (isAmbiguous(req) || !isWebSocketHandshake(req)) return refuseUpgrade(socket, refusals.badRequest);
  const isProbe = context.isProbe(req);
  try {
    const isPassed = context.isPassed(req);
    const found = await (isProbe ? context.routes.refresh(accountName) : context.routes.find(accountName));
    // As for requests: the other gateway may know better, but is asked only once.
    const known = isPassed && found?.elsewhere ? await context.routes.refresh(accountName) : found;
    if (isPassed && known?.elsewhere) return refuseUpgrade(socket, refusals.unavailable);
    if (known?.state === "asleep" && !isProbe && (await isUnexpected(context, req.url!, accountName, known)))
      return refuseUpgrade(socket, refusals.notFound);
    const route = known && !isProbe ? await awaken(context, socket, accountName, known) : known;
    // The visitor left during the lookup. Their socket emits no further event, so a tunnel would wait forever.
    if (socket.destroyed) return;
    const refusal = refusalFor(context, route, isProbe);
    if (refusal !== null) return refuseUpgrade(socket, refusal);
    tunnel(context, req, socket, head, accountName, route as GatewayRoute & { address: string });
  } catch (error) {
    if (context.mayLog(accountName)) context.log.error({ err: error, accountName }, "the route of a workspace could not be looked up");
    refuseUpgrade(socket, refusals.unavailable);
  }
}

/** As for requests: what monitors and scanners request, and calls that no workflow would take, do not wake a workspace. */
async function isUnexpected(context: GatewayContext, url: string, accountName: string, { workspaceId }: GatewayRoute): Promise<boolean> {
  const { sleep, log, mayLog } = context;
  if (!sleep) return false;
  if (sleep.monitored.test(url) || sleep.absent.test(url)) return true;
  try {
    return ((await sleep.refuseCall?.(accountName, "GET", url)) ?? null) !== null;
  } catch (error) {
    // What cannot be found out must not cost a call.
    if (mayLog(workspaceId)) log.warn({ err: error, workspaceId }, unknownWebhooksLine);
    return false;
  }
}

/** Records the use, and waits for a sleeping workspace to wake. Returns the route to use then. */
async function awaken(context: GatewayContext, socket: Duplex, accountName: string, route: GatewayRoute): Promise<GatewayRoute | null> {
  const { sleep, waitingRoom, limits } = context;
  if (!sleep || route.elsewhere || context.isClosed() || !(isLetIn(route, false) || route.state === "asleep")) return route;
  // As for requests: without the database, a workspace known as open stays reachable.
  const state = route.state === "asleep" ? "asleep" : await Promise.resolve(sleep.uses.note(route.workspaceId)).catch(() => "awake");
  if (state === "awake") return route;
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once("close", leave);
  const trace = traceWake(context.tracer, route.workspaceId);
  const waiting = waitingRoom.wait(accountName, route, gone.signal, limits.maxWaitMs);
  void trace.run(() => sleep.uses.wake(route.workspaceId, gone.signal)).then(() => waitingRoom.wake(accountName));
  const woken = await waiting;
  trace.end(stateOf(woken));
  socket.off("close", leave);
  gone.abort();
  // It sleeps, whatever was known of it before.
  if (woken === "full") return { ...route, state: "asleep" };
  if (woken && isLetIn(woken, false)) await Promise.resolve(sleep.uses.note(woken.workspaceId)).catch(() => undefined);
  return woken;
}

function refusalFor(context: GatewayContext, route: GatewayRoute | null, isProbe: boolean): Refusal | null {
  if (context.isClosed()) return refusals.unavailable;
  if (route === null) return refusals.unknown;
  if (!isLetIn(route, isProbe)) return closedRefusal(route);
  return context.upstreams.of(route).inFlight >= context.limits.maxInFlight ? refusals.busy : null;
}

function tunnel(
  context: GatewayContext,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  accountName: string,
  route: GatewayRoute & { address: string },
): void {
  const { connectTimeoutMs, handshakeTimeoutMs } = context.limits;
  const upstream = context.upstreams.of(route);
  let abort = (): void => undefined;
  const refuseOne = (line: string): void => {
    if (context.mayLog(route.workspaceId)) context.log.warn({ workspaceId: route.workspaceId }, line);
    refuseUpgrade(socket, refusals.tooManyListeners);
  };
  const listener: Listener = {
    isStranger: context.isStranger(req.url!),
    site: siteOf(context.addressOf(req)),
    isAnswered: false,
    breakOff() {
      abort();
      // Nothing may be written into a WebSocket.
      if (listener.isAnswered) socket.destroy();
      else refuseOne(displacedListenerLine);
    },
  };
  const leave = upstream.listeners.enter(listener);
  if (leave === null) return refuseOne(tooManyListenersLine);
  if (!route.elsewhere) context.visits?.note(route.workspaceId);
  context.tunnels.add(socket);
  socket.once("close", () => context.tunnels.delete(socket));
  abort = tunnelUpgrade({
    req,
    socket,
    head,
    upstream,
    onAnswer: () => (listener.isAnswered = true),
    onOver: leave,
    headers: context.headersFor(req, route),
    connectTimeoutMs,
    handshakeTimeoutMs,
    onFailure(error) {
      if (context.mayLog(route.workspaceId))
        context.log.warn({ workspaceId: route.workspaceId, reason: error.message }, "a workspace did not answer an upgrade");
      context.routes.invalidate(accountName);
      refuseUpgrade(socket, refusals.offline);
    },
  });
}
