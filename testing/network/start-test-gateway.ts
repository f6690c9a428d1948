/** A gateway on a real port for tests, with routes that a test sets and raw sockets to talk through. */
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, createServer as createSocketServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { systemClock } from "#platform/clock.ts";
import { createLineKeys } from "#platform/lines/line-keys.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createGateway, type Gateway, type GatewayOptions } from "#apps/gateway/create-gateway.ts";
import type { GatewayRoute } from "#apps/gateway/routes/gateway-route.ts";
import { proveTo } from "#apps/provisioner/drivers/container/prove-name.ts";
import { resolveHost } from "#apps/gateway/routes/resolve-host.ts";
import { gatewayServerOptions } from "#apps/gateway/server-options.ts";

export const probeToken = "the-probe-token";

/** Those of a service in tests. */
export const lineKeys = createLineKeys(createSecrets("the secret key of a service in tests"));

export interface TestGateway extends AsyncDisposable {
  port: number;
  gateway: Gateway;
  /** Names looked up in the database so far. */
  lookedUp: string[];
  /** Requests received so far. */
  arrived(): number;
  /** Visitors' connections that are open at the gateway. */
  connections(): Promise<number>;
  /** What the database returns from now on; call `gateway.invalidate` to apply it immediately. */
  setRoute(accountName: string, route: GatewayRoute | null): void;
  failLookUps(): void;
}

export async function startTestGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const routes = new Map<string, GatewayRoute | null>();
  const lookedUp: string[] = [];
  let isFailing = false;
  let arrived = 0;
  const gateway = createGateway({
    async lookUp(accountName) {
      lookedUp.push(accountName);
      if (isFailing) throw new Error("no database");
      return routes.get(accountName) ?? null;
    },
    panelUrl: "http://localhost:3000/?a=1&b=2",
    publicScheme: "http",
    probeToken,
    log: createLog("silent"),
    clock: systemClock,
    ...options,
  });
  const server = createServer(gatewayServerOptions, (req, res) => {
    arrived += 1;
    const host = resolveHost(req.headers.host, "localhost");
    if (host.kind === "workspace") gateway.handleRequest(req, res, host.accountName);
    else gateway.handleUnknown(req, res);
  });
  server.on("upgrade", (req, socket, head) => {
    const host = resolveHost(req.headers.host, "localhost");
    gateway.handleUpgrade(req, socket, head, host.kind === "workspace" ? host.accountName : "");
  });
  const port = await listen(server);
  return {
    port,
    gateway,
    lookedUp,
    arrived: () => arrived,
    connections: () => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
    setRoute: (accountName, route) => routes.set(accountName, route),
    failLookUps: () => (isFailing = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await gateway.close();
    },
  };
}

export interface TestWorkspace extends AsyncDisposable {
  address: string;
  server: Server;
}

/** A workspace's real HTTP server. */
export async function startTestWorkspace(listener: RequestListener): Promise<TestWorkspace> {
  const server = createServer({ requestTimeout: 0 }, listener);
  const port = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A workspace that proves its id, as one in a container does. */
export async function startProvingWorkspace(workspaceId: string, listener: RequestListener): Promise<TestWorkspace> {
  const { mark, key } = lineKeys.named(workspaceId);
  const workspace = await startTestWorkspace(listener);
  proveTo(workspace.server, key);
  return { ...workspace, address: `${mark}@${workspace.address}` };
}

/** A workspace that sends raw bytes, for answers that no HTTP server would give. */
export async function startRawWorkspace(onConnection: (socket: Socket) => void): Promise<{ address: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

export const online = (address: string, more: Partial<GatewayRoute> = {}): GatewayRoute => ({
  workspaceId: `workspace-at-${address}`,
  state: "online",
  address,
  open: true,
  ...more,
});

/** Gateway and workspace together, under the account name "acme". */
export async function startPair(listener: RequestListener, options: Partial<GatewayOptions> = {}) {
  const workspace = await startTestWorkspace(listener);
  const front = await startTestGateway(options);
  front.setRoute("acme", online(workspace.address));
  return {
    ...front,
    workspace,
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
    },
  };
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

interface Ask {
  host?: string;
  path?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** One request on a new connection. */
export async function ask(
  port: number,
  { host = "acme.localhost", path = "/", method = "GET", headers = {}, body }: Ask = {},
): Promise<Answer> {
  const req = request({ port, host: "127.0.0.1", path, method, headers: { host, ...headers }, agent: false });
  req.end(body);
  const [res] = (await once(req, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  return { status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks).toString() };
}

/** Sends bytes unchanged and returns everything received until the connection ends or `until` is in it. */
export async function exchange(port: number, bytes: string, until?: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.write(bytes, "latin1");
  let text = "";
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString("latin1");
    if (until !== undefined && text.includes(until)) break;
  }
  socket.destroy();
  return text;
}

/** A promise with its resolve and reject, for what a workspace receives. */
export function deferred<T = void>(): { promise: Promise<T>; resolve(value: T): void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { promise, resolve };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
