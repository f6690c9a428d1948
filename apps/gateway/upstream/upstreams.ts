/** The connections to each workspace, counted so that one tenant cannot take all sockets of the gateway. */
import { Pool } from "undici";
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { GatewayRoute } from "../routes/gateway-route.ts";

export interface Upstream {
  readonly address: string;
  readonly pool: Pool;
  /** Current requests and tunnels. */
  inFlight: number;
  usedSinceSweep: boolean;
}

export interface Upstreams {
  /** The workspace's connections. Those to its previous address close once they are idle. */
  of(route: GatewayRoute & { address: string }): Upstream;
  close(): Promise<void>;
}

export interface UpstreamsOptions {
  connectTimeoutMs: number;
  headersTimeoutMs: number;
}

/** A workspace without requests between two sweeps loses its pool: most workspaces get few requests. */
const sweepMs = 2 * minuteMs;

/** When the gateway closes, current requests have this long to end; event streams would never end. */
const closeGraceMs = 2 * secondMs;

export function createUpstreams({ connectTimeoutMs, headersTimeoutMs }: UpstreamsOptions): Upstreams {
  const upstreams = new Map<string, Upstream>();

  const sweep = setInterval(() => {
    for (const [workspaceId, upstream] of upstreams) {
      if (upstream.inFlight === 0 && !upstream.usedSinceSweep) {
        upstreams.delete(workspaceId);
        void upstream.pool.close().catch(() => undefined);
      }
      upstream.usedSinceSweep = false;
    }
  }, sweepMs);
  sweep.unref();

  const open = (workspaceId: string, address: string): Upstream => {
    const pool = new Pool(`http://${address}`, {
      connect: { timeout: connectTimeoutMs },
      headersTimeout: headersTimeoutMs,
      // Server-sent events may be silent for any length of time.
      bodyTimeout: 0,
      // Node's servers close an idle connection after 5 s. With a shorter limit, none is closed while we write to it.
      keepAliveTimeout: 4000,
      // Node's limit is 16 KB for all headers; tools that set many cookies need more.
      maxHeaderSize: 64 * 1024,
      pipelining: 1,
    });
    const upstream = { address, pool, inFlight: 0, usedSinceSweep: true };
    upstreams.set(workspaceId, upstream);
    return upstream;
  };

  return {
    of(route) {
      const known = upstreams.get(route.workspaceId);
      if (known !== undefined && known.address === route.address) return known;
      // Closing waits for current requests, so a long response from the old address still completes.
      if (known !== undefined) void known.pool.close().catch(() => undefined);
      return open(route.workspaceId, route.address);
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...upstreams.values()].map(({ pool }) => closePool(pool)));
      upstreams.clear();
    },
  };
}

async function closePool(pool: Pool): Promise<void> {
  const impatience = setTimeout(() => void pool.destroy().catch(() => undefined), closeGraceMs);
  await pool.close().catch(() => undefined);
  clearTimeout(impatience);
}
