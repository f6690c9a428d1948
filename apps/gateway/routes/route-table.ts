/**
 * Caches where workspaces are, so that a request needs no query. Changes arrive through `invalidate`; the time to
 * live only limits the effect of a lost notification.
 */
import { hourMs, secondMs, type Clock } from "#platform/clock.ts";
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
  /**
   * Each name is looked up again before it is next used, after a lost connection to the notifications. What was known is kept for as long as
   * the lookups fail: the database may be gone again already.
   */
  invalidateAll(): void;
  /** How many open workspaces can be reached without the database now. */
  usable(): number;
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

/**
 * An open route is used for this long after its time while the database is unreachable: the time in which a person restores one. Longer would
 * be unsafe for a gateway that alone has lost the database: workers continue to move and stop workspaces without its notice.
 */
export const staleMs = hourMs;

/** Refused because too many lookups are running. */
export class RouteTableBusy extends Error {}

export function createRouteTable(options: RouteTableOptions): RouteTable {
  const { lookUp, clock, ttlMs = 30 * secondMs, closedTtlMs = 2 * secondMs, missingTtlMs = 5 * secondMs } = options;
  const { maxEntries = 20_000, maxPending = 500 } = options;
  const known = new Map<string, Remembered>();
  const missing = new Map<string, Remembered>();
  const pending = new Map<string, Promise<GatewayRoute | null>>();
  // Whether the newest lookup failed. Then visitors of known workspaces do not wait for the next one, which probably fails as well.
  let isFailing = false;

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
          // Null may have been found without the database, for a name that no account can have.
          if (route !== null) isFailing = false;
          if (isCurrent()) remember(accountName, route);
          return route;
        },
        (error: unknown) => {
          isFailing = true;
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
      const loading = pending.get(accountName) ?? load(accountName);
      if (!isFailing || !entry || entry.usableUntil <= clock.now().getTime()) return loading;
      loading.catch(() => undefined);
      return entry.route;
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
      for (const entry of known.values()) entry.until = 0;
      missing.clear();
      pending.clear();
      isFailing = false;
    },
    usable() {
      const now = clock.now().getTime();
      return [...known.values()].reduce((times, { route, usableUntil }) => times + (route?.open && usableUntil > now ? 1 : 0), 0);
    },
  };
}
