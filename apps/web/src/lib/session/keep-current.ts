/** Keeps a page that is left open true: banners, plans and buttons depend on what the service says of the user. */

/** Notices of a failed payment or of an ended session within half a minute, for 120 small calls an hour of the one visible tab. */
const userEveryMs = 30_000;
/** The service's clock, as the browser's own differs from it, and its settings. A laptop that slept may have another time than before. */
const configEveryMs = 30 * 60_000;

interface Current {
  page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
  network: Pick<Window, "addEventListener" | "removeEventListener">;
  /** Undefined: no one is signed in. Rejects while the service cannot be reached. */
  readUser: () => Promise<unknown> | undefined;
  /** Whether the page itself has read the user as recently as this, as one that waits for a payment does. */
  hasReadIn: (ms: number) => boolean;
  readConfig: () => void;
}

/** Reads the user every half minute, and immediately on return to the page or to the network; hidden pages read nothing. Returns how to stop it. */
export function keepCurrent({ page, network, readUser, hasReadIn, readConfig }: Current): () => void {
  let configAtMs = Date.now();
  const read = async () => {
    if (page.visibilityState !== "visible") return;
    try {
      await readUser();
    } catch {
      // The page keeps what it knew. The workspace's own watch says that it may be old.
      return;
    }
    // A clock that was set back counts as old, too.
    if (Math.abs(Date.now() - configAtMs) < configEveryMs) return;
    configAtMs = Date.now();
    readConfig();
  };
  const readNow = () => void read();
  // Half, so that a slow answer to the question before does not count as recent.
  const timer = setInterval(() => (hasReadIn(userEveryMs / 2) ? undefined : readNow()), userEveryMs);
  page.addEventListener("visibilitychange", readNow);
  network.addEventListener("online", readNow);
  return () => {
    clearInterval(timer);
    page.removeEventListener("visibilitychange", readNow);
    network.removeEventListener("online", readNow);
  };
}
