/** The connections to each workspace, counted so that one tenant cannot take all sockets of the gateway. */
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import { readAddress, type Line } from "#platform/lines/open-line.ts";
import type { GatewayRoute } from "../routes/gateway-route.ts";
import { Connection, type ConnectionOwner, type Exchange } from "./connection.ts";
import { Listeners } from "./listeners.ts";
import type { SlowReader } from "./slow-reader.ts";

export interface Upstreams {
  /** The workspace's connections. Those to its previous address close once they are idle. */
  of(route: GatewayRoute & { address: string }): Upstream;
  /** The workspace's current requests and tunnels. */
  inFlight(workspaceId: string): number;
  /** Ids of the workspaces with any that is a use of it. */
  used(): string[];
  close(): Promise<void>;
}

interface UpstreamsOptions {
  connectTimeoutMs: number;
  maxInFlight: number;
  /** For workspaces that prove their ids. */
  lineKeys?: LineKeys | undefined;
}

/** A workspace without requests between two sweeps is forgotten: most workspaces get few requests. */
const sweepMs = 2 * minuteMs;

/** The time limits of all connections are checked together, which is cheaper than a timer for each request. */
const checkMs = secondMs / 2;

/** When the gateway closes, current requests have this long to end; event streams would never end. */
const closeGraceMs = 2 * secondMs;

export class Upstream implements ConnectionOwner {
  readonly address: string;
  readonly line: Line;
  /** Current requests and tunnels. */
  inFlight = 0;
  /** Those of them that are uses of the workspace: a health check is none. */
  uses = 0;
  /** Visitors for whose reading it has had to wait. */
  readonly slowReaders = new Set<SlowReader>();
  readonly listeners: Listeners;
  usedSinceSweep = true;
  readonly #connectTimeoutMs: number;
  readonly #all = new Set<Connection>();
  /** The last one rested the shortest. */
  readonly #idle: Connection[] = [];
  /** Ended in this turn of the event loop. */
  readonly #ended: Connection[] = [];
  #closing: PromiseWithResolvers<void> | null = null;

  constructor(address: string, { connectTimeoutMs, maxInFlight, lineKeys }: UpstreamsOptions) {
    this.address = address;
    this.listeners = new Listeners(maxInFlight);
    this.line = readAddress(address, lineKeys);
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /** Starts the exchange on an idle connection, or on a new one as soon as that is connected. */
  send(exchange: Exchange): Connection {
    const nowMs = performance.now();
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.isFresh(nowMs)) {
        connection.start(exchange);
        return connection;
      }
      connection.socket.destroy();
    }
    const made = new Connection(this, exchange, this.#connectTimeoutMs);
    this.#all.add(made);
    return made;
  }

  /**
   * Used again from the next turn of the event loop on. What a workspace sends after its response without being asked has usually been
   * noticed by then, and no other visitor takes it for theirs.
   */
  rest(connection: Connection): void {
    if (this.#closing !== null) return void connection.socket.destroy();
    this.#ended.push(connection);
    if (this.#ended.length === 1) setImmediate(this.#endTurn);
  }

  forget(connection: Connection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    if (this.#all.size === 0) this.#closing?.resolve();
  }

  check(nowMs: number): void {
    for (const connection of this.#all) connection.check(nowMs);
  }

  /** Closes idle connections now and the others after their response. */
  close(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    if (this.#all.size === 0) this.#closing.resolve();
    for (const connection of [...this.#idle, ...this.#ended]) connection.socket.destroy();
    return this.#closing.promise;
  }

  /** Closes all connections now. */
  destroy(): void {
    for (const connection of this.#all) connection.socket.destroy();
  }

  readonly #endTurn = (): void => {
    for (const connection of this.#ended) if (!connection.socket.destroyed) this.#idle.push(connection);
    this.#ended.length = 0;
  };
}

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const upstreams = new Map<string, Upstream>();
  /** Of workspaces that moved or were forgotten, until their last response has ended. */
  const leaving = new Set<Upstream>();

  const leave = (upstream: Upstream): void => {
    leaving.add(upstream);
    void upstream.close().then(() => leaving.delete(upstream));
  };

  const sweep = setInterval(() => {
    for (const [workspaceId, upstream] of upstreams) {
      if (upstream.inFlight === 0 && !upstream.usedSinceSweep) {
        upstreams.delete(workspaceId);
        leave(upstream);
      }
      upstream.usedSinceSweep = false;
    }
  }, sweepMs);
  sweep.unref();

  const check = setInterval(() => {
    const nowMs = performance.now();
    for (const upstream of upstreams.values()) upstream.check(nowMs);
    for (const upstream of leaving) upstream.check(nowMs);
  }, checkMs);
  check.unref();

  return {
    of(route) {
      const known = upstreams.get(route.workspaceId);
      if (known !== undefined && known.address === route.address) return known;
      // A long response from the old address still completes.
      if (known !== undefined) leave(known);
      const upstream = new Upstream(route.address, options);
      upstreams.set(route.workspaceId, upstream);
      return upstream;
    },
    used: () => [...upstreams].filter(([, { uses }]) => uses > 0).map(([workspaceId]) => workspaceId),
    inFlight: (workspaceId) => upstreams.get(workspaceId)?.inFlight ?? 0,
    async close() {
      clearInterval(sweep);
      clearInterval(check);
      const all = [...upstreams.values(), ...leaving];
      const impatience = setTimeout(() => all.forEach((upstream) => upstream.destroy()), closeGraceMs);
      await Promise.all(all.map((upstream) => upstream.close()));
      clearTimeout(impatience);
      upstreams.clear();
    },
  };
}
