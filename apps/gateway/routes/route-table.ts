/**
 * Remembers where workspaces are, so that a request costs no query. Changes arrive by `invalidate`; the time to
 * live only bounds the harm of a notification that was lost.
 */
import { secondMs, type Clock } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { GatewayRoute, LookUpRoute } from "./gateway-route.ts";

export interface RouteTable {
  /** The route, null for none; at once when remembered. Rejects when the look-up fails and nothing usable is known. */
  find(accountName: string): GatewayRoute | null | Promise<GatewayRoute | null>;
  /** The route as it is now, read past the memory and then remembered. */
  refresh(accountName: string): Promise<GatewayRoute | null>;
  /** Forgets one name; a look-up under way is not remembered either, because it may have read the old state. */
  invalidate(accountName: string): void;
  /** Forgets everything, for a lost connection to the notifications. */
  invalidateAll(): void;
}

export interface RouteTableOptions {
  lookUp: LookUpRoute;
  clock: Clock;
  /** For a workspace that lets people in. */
  ttlMs?: number;
  /** For one that does not right now: its next change is what somebody waits for. */
  closedTtlMs?: number;
  missingTtlMs?: number;
  /** Entries kept of each kind; the oldest go first. */
  maxEntries?: number;
  /** Look-ups at once; more are refused, so that a flood of made-up names leaves the database alone. */
  maxPending?: number;
}

interface Remembered {
  route: GatewayRoute | null;
  /** When it is looked up again. */
  until: number;
  /** When it is no longer used, even where no look-up succeeds. */
  usableUntil: number;
}

/** A database that takes longer hangs; visitors of a known workspace need not wait for it. */
const lookUpMs = 2 * secondMs;

/** A route that is open is still used while the database is out of reach, for as long as a failover may take. */
const staleMs = 600 * secondMs;

/** Refused because too many look-ups are under way. */
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
    // Every entry in use is set anew once in its life, so the first in the map is the least recently used.
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
  };

  const load = (accountName: string): Promise<GatewayRoute | null> => {
    if (pending.size >= maxPending) return Promise.reject(new RouteTableBusy("too many look-ups of workspaces at once"));
    const isCurrent = () => pending.get(accountName) === loading;
    const loading: Promise<GatewayRoute | null> = Promise.resolve()
      .then(() => within(lookUpMs, "the look-up of a workspace", lookUp(accountName)))
      .then(
        (route) => {
          if (isCurrent()) remember(accountName, route);
          return route;
        },
        (error: unknown) => {
          const stale = known.get(accountName);
          const now = clock.now().getTime();
          if (!isCurrent() || !stale || stale.usableUntil <= now) throw error;
          // Not asked again for each request: one caller every two seconds waits for a database that hangs.
          stale.until = now + closedTtlMs;
          return stale.route;
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
    invalidate: forget,
    invalidateAll() {
      known.clear();
      missing.clear();
      pending.clear();
    },
  };
}
