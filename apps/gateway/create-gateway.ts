/** Routes a host name to its running workspace, or to a clear refusal. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { accountName as accountNameRule } from "#contract/api/fields.ts";
import type { Clock } from "#platform/clock.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import { limitLines } from "#platform/limit-lines.ts";
import type { Log } from "#platform/log.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import { forwardedFor } from "./admission.ts";
import { answerRequest } from "./answer-request.ts";
import { answerUpgrade } from "./answer-upgrade.ts";
import { clientAddress } from "./headers/client-address.ts";
import { defaultGatewayLimits, type GatewayLimits } from "./gateway-limits.ts";
import type { GatewayRoute, LookUpRoute } from "./routes/gateway-route.ts";
import type { ExecutionCounts } from "./execution-counts.ts";
import { createProbeTest, passHeader, probeHeader } from "./headers/is-probe.ts";
import { refusals } from "./refusals/refusal.ts";
import { requestHeaders } from "./headers/request-headers.ts";
import { createCallQueue, type CallQueue } from "./routes/call-queue.ts";
import { createRouteTable, type RouteTable } from "./routes/route-table.ts";
import { sendRefusal } from "./refusals/send-refusal.ts";
import type { Visits } from "./visits.ts";
import type { WebhookCounts } from "./webhook-counts.ts";
import { createUpstreams, type Upstreams } from "./upstream/upstreams.ts";
import { createUses, type RecordUse, type Uses } from "./routes/uses.ts";
import { createWaitingRoom, type WaitingRoom } from "./routes/waiting-room.ts";

export interface GatewayOptions {
  lookUp: LookUpRoute;
  /** Refusal pages link to it. */
  panelUrl: string;
  /** The scheme that visitors use, TLS proxies included; workspaces build their links with it. */
  publicScheme: "http" | "https";
  /** Requests that carry it in `x-slipway-probe` reach a workspace that is not open yet. */
  probeToken: string;
  /**
   * Gateways of several hosts put it into `x-slipway-passed` when they pass a request on: such a request is not passed on again, and its
   * headers name the visitor. If it is not set, no request is accepted as passed on.
   */
  passToken?: string;
  /** For workspaces that prove their ids; without it, those cannot be reached. */
  lineKeys?: LineKeys;
  /** How many proxies in front of us to trust for X-Forwarded-For; none by default. */
  trustedProxyHops?: number;
  log: Log;
  clock: Clock;
  limits?: Partial<GatewayLimits>;
  /** Counts the executions that start; by default, none are counted. */
  executions?: ExecutionCounts | null;
  /** Called for each request that is passed on. */
  visits?: Pick<Visits, "note"> | null;
  /** Counts the calls of webhooks; by default, none are counted. */
  webhooks?: Pick<WebhookCounts, "isCall" | "note"> | null;
  /** Whether a request is one of a workspace's calls by strangers, of which it works on only so many at a time; by default a call of a webhook. */
  isCall?: (method: string, url: string) => boolean;
  /** Where only the editor listens, if calls have no paths to tell them by: everyone who listens elsewhere counts as a stranger. */
  editorListens?: RegExp | undefined;
  /** Whether a GET or HEAD whose connection died may be sent again: not if what it started would run twice. By default each may. */
  mayRepeat?: (url: string) => boolean;
  /** Called after each answered request, for metrics. */
  onAnswered?: ((answer: GatewayAnswer) => void) | null;
  /** Keeps used workspaces awake and wakes sleeping ones; absent if none sleeps. */
  sleep?: GatewaySleep | null;
  /** Begins a trace with each wake; absent without tracing. */
  tracer?: Tracer | null;
}

export interface GatewayAnswer {
  /** `2xx` and so on: the workspace's own answer. A refusal's code: the gateway's. `left`: the visitor left first. */
  outcome: string;
  /** From the request's head to the answer's end. */
  ms: number;
}

interface GatewaySleep {
  record: RecordUse;
  /** Paths that neither wake a workspace nor keep it awake. While it sleeps, the gateway answers them itself: with 200 and 404. */
  monitored: RegExp;
  absent: RegExp;
  /** Absent: each call of a webhook wakes. */
  refuseCall?: RefuseCall;
}

/** What a sleeping workspace would answer, with 404, to a call that none of its workflows would take: its JSON, or a page. */
export type UnownedCall = { json: string } | "page";

/**
 * Null: the request must wake the workspace. Otherwise it is found out now, past every cache: a route may be older than the last wake, and
 * the webhook newer.
 */
export type RefuseCall = (accountName: string, method: string, url: string) => Promise<UnownedCall | null> | null;

export interface Gateway {
  /** Answers a request for this account's workspace, from the workspace or with a refusal. Never throws. */
  handleRequest(req: IncomingMessage, res: ServerResponse, accountName: string): void;
  /** Like `handleRequest`, for an upgrade; only WebSockets are passed on. */
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, accountName: string): void;
  /** Answers a request to a host that is neither the panel nor a workspace. */
  handleUnknown(req: IncomingMessage, res: ServerResponse): void;
  /** Call it when a workspace's route may have changed. */
  invalidate(accountName: string): void;
  /** Call it when notifications may have been missed. */
  invalidateAll(): void;
  openWebSockets(): number;
  /** How many open workspaces it can serve without the database now. */
  servesFromMemory(): number;
  /** Refuses new and waiting requests, and ends the connections to workspaces. */
  close(): Promise<void>;
}

/** The gateway's state that answering a request needs. */
export interface GatewayContext {
  readonly routes: RouteTable;
  readonly waitingRoom: WaitingRoom;
  readonly calls: CallQueue;
  readonly upstreams: Upstreams;
  readonly tunnels: Set<Duplex>;
  readonly limits: GatewayLimits;
  readonly panelUrl: string;
  readonly log: Log;
  /** Whether another line about this workspace may be written now: its visitors, or its own faults, must not fill the log. */
  readonly mayLog: (workspaceId: string) => boolean;
  readonly executions: ExecutionCounts | null;
  readonly visits: Pick<Visits, "note"> | null;
  readonly webhooks: Pick<WebhookCounts, "isCall" | "note"> | null;
  readonly isCall: (method: string, url: string) => boolean;
  /** Whether one who listens there, to a stream of events or a WebSocket, may be any visitor. */
  readonly isStranger: (url: string) => boolean;
  /** Whether `isCall` can tell; otherwise any request may be a call. */
  readonly knowsCalls: boolean;
  readonly mayRepeat: (url: string) => boolean;
  readonly onAnswered: ((answer: GatewayAnswer) => void) | null;
  /** Null if no workspace sleeps. */
  readonly sleep: (Omit<GatewaySleep, "record"> & { uses: Uses }) | null;
  readonly tracer: Tracer | null;
  isClosed(): boolean;
  isProbe(req: IncomingMessage): boolean;
  /** Whether another host's gateway passed the request on. */
  isPassed(req: IncomingMessage): boolean;
  /** The address of the visitor who sent the request. */
  addressOf(req: IncomingMessage): string;
  /** The headers for forwarding the request to a workspace, or to the gateway of its host. */
  headersFor(req: IncomingMessage, route: GatewayRoute): string[];
}

/** Enough to see a fault and its times; the others are counted. */
const failureLinesPerMinute = 10;

/** Builds a gateway. It does not listen; a front door, set up with `gatewayServerOptions`, passes requests to it. */
export function createGateway(options: GatewayOptions): Gateway {
  const state = { isClosed: false };
  const context = createContext(options, state);
  const { routes, waitingRoom, calls, upstreams, tunnels } = context;
  return {
    handleRequest: (req, res, accountName) => answerRequest(context, req, res, accountName),
    handleUpgrade: (req, socket, head, accountName) => void answerUpgrade(context, req, socket, head, accountName),
    handleUnknown: (req, res) => sendRefusal(req, res, refusals.unknown, options.panelUrl),
    invalidate(accountName) {
      const known = routes.invalidate(accountName);
      waitingRoom.wake(accountName);
      if (known && upstreams.inFlight(known.workspaceId) > 0) void wakeUsed(context, accountName);
    },
    invalidateAll() {
      routes.invalidateAll();
      waitingRoom.wakeAll();
    },
    openWebSockets: () => tunnels.size,
    servesFromMemory: () => routes.usable(),
    async close() {
      state.isClosed = true;
      waitingRoom.close();
      calls.close();
      context.sleep?.uses.stop();
      for (const socket of tunnels) socket.destroy();
      await upstreams.close();
    },
  };
}

/** Requests that are not recorded as a use, such as a monitor's, may be open when their workspace falls asleep. */
async function wakeUsed({ routes, sleep, isClosed }: GatewayContext, accountName: string): Promise<void> {
  if (!sleep || isClosed()) return;
  const route = await Promise.resolve(routes.find(accountName)).catch(() => null);
  if (route?.state !== "asleep") return;
  await sleep.uses.wake(route.workspaceId, AbortSignal.timeout(defaultGatewayLimits.maxWaitMs));
}

function createContext(options: GatewayOptions, state: { isClosed: boolean }): GatewayContext {
  const { clock, log, panelUrl, publicScheme, trustedProxyHops = 0 } = options;
  const limits = { ...defaultGatewayLimits, ...options.limits };
  const isProbeToken = createProbeTest(options.probeToken);
  const { passToken = "" } = options;
  const isPassToken = createProbeTest(passToken);
  const isPassed = ({ headers }: IncomingMessage): boolean => headers[passHeader] !== undefined && isPassToken(headers[passHeader]);
  // Names that are not valid account names never reach the database.
  const lookUp: LookUpRoute = async (name) => (accountNameRule.safeParse(name).success ? options.lookUp(name) : null);
  const routes = createRouteTable({ lookUp, clock });
  const upstreams = createUpstreams({ ...limits, lineKeys: options.lineKeys });
  const { sleep, editorListens } = options;
  const isCall = options.isCall ?? ((method, url) => options.webhooks?.isCall(method, url) === true);
  // Only the gateway that passed it on may name the visitor.
  const addressOf = (req: IncomingMessage): string =>
    clientAddress(req.socket.remoteAddress, forwardedFor(req), isPassed(req) ? 1 : trustedProxyHops);
  return {
    routes,
    waitingRoom: createWaitingRoom({ routes, limits }),
    calls: createCallQueue(limits),
    upstreams,
    sleep: sleep ? { ...sleep, uses: createUses({ record: sleep.record, used: upstreams.used, log }) } : null,
    tunnels: new Set(),
    limits,
    panelUrl,
    log,
    mayLog: limitLines({
      perMinute: failureLinesPerMinute,
      onLeftOut: (workspaceId, lines) => log.warn({ workspaceId, lines }, "further requests to a workspace failed within a minute"),
    }),
    executions: options.executions ?? null,
    visits: options.visits ?? null,
    webhooks: options.webhooks ?? null,
    knowsCalls: (options.isCall ?? options.webhooks ?? null) !== null,
    isCall,
    isStranger: (url) => (editorListens ? !editorListens.test(url) : isCall("GET", url)),
    mayRepeat: options.mayRepeat ?? (() => true),
    onAnswered: options.onAnswered ?? null,
    tracer: options.tracer ?? null,
    isClosed: () => state.isClosed,
    isProbe: (req) => isProbeToken(req.headers[probeHeader]),
    isPassed,
    addressOf,
    headersFor(req, route) {
      const headers = requestHeaders(req.rawHeaders, req.headers.connection, {
        clientAddress: addressOf(req),
        scheme: publicScheme,
        host: req.headers.host!,
      });
      if (route.elsewhere) headers.push(passHeader, passToken);
      return headers;
    },
  };
}
