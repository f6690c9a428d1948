/** The service's one port. The Host header decides between the panel and the workspaces. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";
import { streamBegan } from "#platform/http/stream-events.ts";
import { limitLines } from "#platform/limit-lines.ts";
import { atMostEvery } from "#platform/loops/at-most-every.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import { healthPaths } from "../../api/service-urls.ts";
import type { Gateway } from "../../gateway/create-gateway.ts";
import type { Log } from "#platform/log.ts";
import { timeLimits } from "#platform/time-limits.ts";
import { isAmbiguous } from "../../gateway/headers/is-ambiguous.ts";
import { refusals } from "../../gateway/refusals/refusal.ts";
import { sendRefusal } from "../../gateway/refusals/send-refusal.ts";
import { resolveHost } from "../../gateway/routes/resolve-host.ts";
import { gatewayServerOptions } from "../../gateway/server-options.ts";
import { createVisitsInHand, type VisitsInHand } from "./visits-in-hand.ts";
import { createParseRefusal, refuseCookies } from "./too-many-cookies.ts";
import { inTurn } from "./in-turn.ts";
import { createCrowd, mostConnections, type Crowd } from "./crowd.ts";

export interface FrontDoor {
  /** From now on each response closes its connection, so that clients and proxies turn to another process. */
  leave(): void;
  /**
   * Accepts no more connections. Requests in progress may finish within `finishMs` (0 by default); then they, event streams and WebSockets
   * are cut off.
   */
  close(finishMs?: number): Promise<void>;
}

export interface FrontDoorOptions {
  panelHost: string;
  /** Names of further hosts at which the API answers. */
  apiHosts?: readonly string[];
  /** For links on the door's own pages; by default http at `panelHost`. */
  panelUrl?: string;
  port: number;
  hosts: readonly string[];
  api: FastifyInstance | null;
  /** Answers the health paths, in every role. */
  health: FastifyInstance;
  gateway: Gateway | null;
  log?: Log;
  /** Smaller for tests. */
  limits?: Partial<FrontDoorLimits>;
}

interface FrontDoorLimits {
  headMs: number;
  panelBodyMs: number;
  panelSilenceMs: number;
  connections: number;
}

const usualLimits = {
  headMs: timeLimits.headMs,
  panelBodyMs: timeLimits.doorBodyMs,
  panelSilenceMs: timeLimits.doorSilenceMs,
};
/** Lines for each status. A browser that opens a connection ahead of need, and then needs none, ends as one. */
const unreadableLinesPerMinute = 20;
/** While the door is full, the warning is logged once in this period, not for every connection. */
const fullSaidEveryMs = 60_000;

/** Listens on every address; throws StartTrouble if the port is taken. An address family that the machine lacks is skipped. */
export async function openFrontDoor(options: FrontDoorOptions): Promise<FrontDoor> {
  const servers: Server[] = [];
  const visits = createVisitsInHand();
  const limits = { ...usualLimits, connections: mostConnections(), ...options.limits };
  const crowd = createCrowd(limits.connections, sayFull(options.log, limits.connections));
  try {
    for (const host of options.hosts) {
      const server = buildServer(options, limits, crowd, visits);
      if (await listen(server, options.port, host)) servers.push(server);
    }
    // A machine without IPv6 has no "::" (which would accept IPv4 as well).
    if (servers.length === 0 && options.hosts.includes("::")) return await openFrontDoor({ ...options, hosts: ["0.0.0.0"] });
    if (servers.length === 0) throw new StartTrouble(`None of the addresses ${options.hosts.join(", ")} exists on this machine. Set HOST.`);
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  return {
    leave: visits.leave,
    async close(finishMs = 0) {
      visits.leave();
      const closed = Promise.all(servers.map(closeServer));
      if (finishMs > 0) await visits.finished(finishMs, () => servers.forEach((server) => server.closeIdleConnections()));
      // Event streams and WebSockets would not end otherwise.
      servers.forEach((server) => server.closeAllConnections());
      visits.cutOff();
      await closed;
    },
  };
}

const sayFull = (log: Log | undefined, connections: number): (() => void) =>
  atMostEvery(fullSaidEveryMs, () =>
    log?.warn(
      { connections },
      "the front door is full: event streams and the longest-idle connections are closed to make room for new ones, then unfinished uploads and tunnels",
    ),
  );

function buildServer(
  { panelHost, apiHosts = [], panelUrl = `http://${panelHost}`, api, health, gateway, log }: FrontDoorOptions,
  limits: FrontDoorLimits,
  crowd: Crowd,
  visits: VisitsInHand,
): Server {
  const serverOptions = {
    ...gatewayServerOptions,
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: Math.min(gatewayServerOptions.connectionsCheckingInterval!, limits.headMs),
  };
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    crowd.ask(req, res);
    visits.begin(res);
    const host = resolveHost(req.headers.host, panelHost, apiHosts);
    if (host.kind !== "workspace" && healthPaths.has(req.url ?? "")) return health.routing(req, res);
    if (refuseCookies(req, res, panelHost, panelUrl)) return;
    if (host.kind === "panel" && api) {
      if (isAmbiguous(req)) return void res.writeHead(400, { connection: "close" }).end();
      guardPanelCall(req, res, limits, log);
      res.once(streamBegan, () => crowd.stream(req.socket));
      return api.routing(req, res);
    }
    if (host.kind === "workspace" && gateway) {
      // What a POST streams is work.
      if (req.method === "GET") res.once(streamBegan, () => crowd.stay(req.socket));
      return gateway.handleRequest(req, res, host.accountName);
    }
    if (gateway) return gateway.handleUnknown(req, res);
    res.writeHead(404).end();
  };
  const refuse = (req: IncomingMessage, res: ServerResponse): void => sendRefusal(req, res, refusals.tooManyInTurn, panelUrl);
  const server = createServer(serverOptions, inTurn(answer, refuse));
  server.on("connection", (socket) => {
    // The connection was reset before it was accepted: it cannot be answered and has no address for the rate limit.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    crowd.enter(socket);
  });
  const mayLog = limitLines({
    perMinute: unreadableLinesPerMinute,
    onLeftOut: (status, lines) => log?.info({ status, lines }, "further requests that could not be read were refused within a minute"),
  });
  server.on(
    "clientError",
    createParseRefusal(panelHost, panelUrl, (status, { code }, socket) => {
      if (mayLog(String(status)))
        log?.info({ status, code, address: (socket as Socket).remoteAddress }, "a request that could not be read was refused");
    }),
  );
  server.on("upgrade", (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Sent without waiting for an answer: what is written now would stand in the middle of that.
    if (crowd.isAnswering(req.socket)) return void socket.destroy();
    crowd.stay(req.socket);
    visits.upgraded(socket);
    const host = resolveHost(req.headers.host, panelHost, apiHosts);
    if (host.kind === "workspace" && gateway) return gateway.handleUpgrade(req, socket, head, host.accountName);
    endWith(socket, "404 Not Found");
  });
  // Without this, Node closes the connection without an answer.
  server.on("connect", (req: IncomingMessage, socket: Duplex) => {
    if (crowd.isAnswering(req.socket)) return void socket.destroy();
    endWith(socket, "405 Method Not Allowed");
  });
  return server;
}

/** A caller that never ends its side would hold the connection forever: HTTP's time limits no longer apply. */
function endWith(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}

/**
 * Answers for an API that does not: it limits the phases of its calls itself (apps/api/limit-phases.ts), and is done before these limits.
 * A sender of occasional bytes is never idle, so the whole body has a limit too. Event streams send heartbeats.
 */
function guardPanelCall(req: IncomingMessage, res: ServerResponse, { panelBodyMs, panelSilenceMs }: FrontDoorLimits, log?: Log): void {
  const giveUp = (status: 408 | 504): void => {
    if (res.writableFinished || res.destroyed) return;
    log?.warn(
      { method: req.method, path: req.url?.split("?")[0]?.slice(0, 200), status },
      "the front door ended a call that was not answered",
    );
    if (res.headersSent) return void res.destroy();
    res.writeHead(status, { connection: "close", "content-length": 0 }).end();
  };
  res.setTimeout(panelSilenceMs, () => giveUp(req.complete ? 504 : 408));
  if (req.headers["transfer-encoding"] === undefined && (req.headers["content-length"] ?? "0") === "0") return;
  const timer = setTimeout(() => req.complete || giveUp(408), panelBodyMs);
  timer.unref();
  req.once("close", () => clearTimeout(timer));
}

/**
 * Connections that wait to be accepted while this process is busy. Past Node's usual 511, clients are not refused: they try again after one
 * second, then after two more, four more and so on. Linux allows 4,096 (net.core.somaxconn).
 */
const backlog = 4096;

/** The machine lacks this address, address family or name. */
const notHere = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "ENOTFOUND", "EAI_AGAIN"]);

function listen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (notHere.has(error.code ?? "")) return resolve(false);
      if (error.code === "EADDRINUSE")
        return reject(
          new StartTrouble(`Port ${port} is in use by another program. Stop that program, or choose another port: PORT=3100 npm start`, {
            cause: error,
          }),
        );
      if (error.code === "EACCES")
        return reject(new StartTrouble(`This user may not use port ${port}. Choose one above 1023: PORT=3000 npm start`, { cause: error }));
      reject(error);
    });
    server.listen({ port, host, backlog, ipv6Only: host === "::1" }, () => resolve(true));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}
