/**
 * Caches where workspaces are, so that a request needs no query. Changes arrive through `invalidate`; the time to
 * live only limits the effect of a lost notification.
 */
import { secondMs, type Clock } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { GatewayRoute, LookUpRoute } from "./gateway-route.ts";

export interface RouteTable {
  /** The route, or null for none; synchronous if cached. Rejects if the lookup fails and no usable route is cached. */
  find(accountName: string): GatewayRoute | null | Promise<GatewayRoute | null>;
  /** The current route, read past the cache and then cached. */
  refresh(accountName: string): Promise<GatewayRoute | null>;
  /**
   * Forgets one name. The result of a running lookup is not cached either, because it may have read the old state. Returns what was known.
   */
  invalidate(accountName: string): GatewayRoute | null;
  /** Forgets everything, after a lost connection to the notifications. */
  invalidateAll(): void;
}

interface RouteTableOptions {
  lookUp: LookUpRoute;
  clock: Clock;
  /** For an open workspace. */
  ttlMs?: number;
  /** For a closed workspace: visitors are waiting for its next change. */
  closedTtlMs?: number;
  missingTtlMs?: number;
  /** Entries kept of each kind; the least recently used are dropped first. */
  maxEntries?: number;
  /** Concurrent lookups. More are refused, so that a flood of made-up names does not reach the database. */
  maxPending?: number;
}

interface Remembered {
  route: GatewayRoute | null;
  /** When it must be looked up again, in ms since the epoch. */
  until: number;
  /** When it is no longer used even if lookups fail, in ms since the epoch. */
  usableUntil: number;
}

/** A slower database counts as hanging; visitors of a cached workspace need not wait for it. */
const lookUpMs = 2 * secondMs;

/** An open route is used for this long while the database is unreachable: the time a failover may take. */
const staleMs = 600 * secondMs;

/** Refused because too many lookups are running. */
export class RouteTableBusy extends Error {}

export function createRouteTable(options: RouteTableOptions): RouteTable {
  const { lookUp, clock, ttlMs = 30 * secondMs, closedTtlMs = 2 * secondMs, missingTtlMs = 5 * secondMs } = options;
  const { maxEntries = 20_000, maxPending = 500 } = options;
  const known = new Map<string, Remembered>();
  const missing = new Map<string, Remembered>();
  const pending = new Map<string, Promise<GatewayRoute | null>>();

  const remember = (accountName: string, route: GatewayRoute | null) => {
    known.delete(accountName);
    missing.delete(accountName);
    const entries = route === null ? missing : known;
    const lifeMs = route === null ? missingTtlMs : route.open ? ttlMs : closedTtlMs;
    const until = clock.now().getTime() + lifeMs;
    entries.set(accountName, { route, until, usableUntil: route?.open ? until + staleMs : until });
    // Every entry in use is set again when it expires, so the first in the map is the least recently used.
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
  };

  /** The route known before, as long as it may be used; otherwise rejects with `error`. */
  const keepStale = async (accountName: string, error: unknown): Promise<GatewayRoute | null> => {
    const stale = known.get(accountName);
    const now = clock.now().getTime();
    if (!stale || stale.usableUntil <= now) throw error;
    // Not looked up again for each request: only one caller every two seconds waits for a hanging database.
    stale.until = now + closedTtlMs;
    return stale.route;
  };

  const load = (accountName: string): Promise<GatewayRoute | null> => {
    if (pending.size >= maxPending) return keepStale(accountName, new RouteTableBusy("too many concurrent lookups of workspaces"));
    const isCurrent = () => pending.get(accountName) === loading;
    const loading: Promise<GatewayRoute | null> = Promise.resolve()
      .then(() => within(lookUpMs, "the lookup of a workspace", lookUp(accountName)))
      .then(
        (route) => {
          if (isCurrent()) remember(accountName, route);
          return route;
        },
        (error: unknown) => {
          if (!isCurrent()) throw error;
          return keepStale(accountName, error);
        },
      )
      .finally(() => {
        if (isCurrent()) pending.delete(accountName);
      });
    pending.set(accountName, loading);
    return loading;
  };

  const forget = (accountName: string) => {
    known.delete(accountName);
    missing.delete(accountName);
    pending.delete(accountName);
  };

  return {
    find(accountName) {
      const entry = known.get(accountName) ?? missing.get(accountName);
      if (entry !== undefined && entry.until > clock.now().getTime()) return entry.route;
      return pending.get(accountName) ?? load(accountName);
    },
    refresh(accountName) {
      pending.delete(accountName);
      return load(accountName);
    },
    invalidate(accountName) {
      const route = known.get(accountName)?.route ?? null;
      forget(accountName);
      return route;
    },
    invalidateAll() {
      known.clear();
      missing.clear();
      pending.clear();
    },
  };
}
