/** How many event streams of a kind one session and one account may hold open: each is a connection, and a query every few seconds. */

interface MostStreams {
  /** Tabs of one browser. */
  perSession: number;
  /** Devices of one account. */
  perAccount: number;
}

interface StreamPlaces {
  /** Takes a place until the returned function is called; null: this session or this account has reached its limit. */
  take(sessionId: string, accountId: string): (() => void) | null;
}

/** Places of this process; two processes have twice as many. */
export function createStreamPlaces({ perSession, perAccount }: MostStreams): StreamPlaces {
  const taken = new Map<string, number>();
  const add = (key: string, change: 1 | -1): void => {
    const count = (taken.get(key) ?? 0) + change;
    if (count > 0) taken.set(key, count);
    else taken.delete(key);
  };
  return {
    take(sessionId, accountId) {
      const keys = [`session ${sessionId}`, `account ${accountId}`] as const;
      if ((taken.get(keys[0]) ?? 0) >= perSession || (taken.get(keys[1]) ?? 0) >= perAccount) return null;
      for (const key of keys) add(key, 1);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        for (const key of keys) add(key, -1);
      };
    },
  };
}
