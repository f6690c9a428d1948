/**
 * Passes events to the adapters. Events are held until it is known whether there is an adapter. If there is none, they are dropped, and not
 * kept for a later consent.
 */
import type { AnalyticsAdapter, AnalyticsEvents, EventName, KnownPerson } from "./events.ts";

interface Analytics {
  /** True when an adapter receives it, or soon may. */
  track<Name extends EventName>(name: Name, fields: AnalyticsEvents[Name]): boolean;
  /** Names the person, once for each change. */
  identify(person: KnownPerson | null): void;
  /** Reports a page to each adapter, after the adapter's delay. */
  page(path: string): void;
  /** `waiting`: not known yet. An empty list: no adapter, from now on. */
  connect(adapters: readonly AnalyticsAdapter[] | "waiting"): void;
}

/** Enough for the moments before the settings arrive. */
const mostWaiting = 50;

export function createAnalytics(): Analytics {
  let adapters: readonly AnalyticsAdapter[] | "waiting" = "waiting";
  let waiting: ((adapter: AnalyticsAdapter) => void)[] = [];
  let person: KnownPerson | null = null;

  const give = (send: (adapter: AnalyticsAdapter) => void): boolean => {
    if (adapters === "waiting") return waiting.length < mostWaiting && waiting.push(send) > 0;
    for (const adapter of adapters) attempt(() => send(adapter));
    return adapters.length > 0;
  };

  return {
    track: (name, fields) => give((adapter) => adapter.track(name, fields)),
    identify(next) {
      if (next?.id === person?.id && next?.email === person?.email && next?.confirmed === person?.confirmed) return;
      person = next;
      give((adapter) => adapter.identify(next));
    },
    page: (path) =>
      void give((adapter) => setTimeout(() => isConnected(adapter) && attempt(() => adapter.page(path)), adapter.pageDelayMs)),
    connect(next) {
      const held = waiting;
      const wasWaiting = adapters === "waiting";
      adapters = next;
      if (next === "waiting") return;
      waiting = [];
      // An adapter added later, after consent, is told the current user but no earlier events.
      if (!wasWaiting && person) for (const adapter of next) attempt(() => adapter.identify(person));
      if (wasWaiting) for (const send of held) give(send);
    },
  };

  function isConnected(adapter: AnalyticsAdapter): boolean {
    return adapters !== "waiting" && adapters.includes(adapter);
  }
}

/** An analytics failure never reaches the user. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (cause) {
    console.warn("An analytics event could not be sent.", cause);
  }
}
