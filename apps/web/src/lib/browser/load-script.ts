/** Loads a third-party script once, within a time limit; a failed one is removed, so that it can be tried again. */

const loaded = new Map<string, Promise<void>>();
const attempts = new Map<string, number>();

/** How long a challenge script may take to load. */
const scriptTimeoutMs = 15_000;

/** Resolves when the script has run; rejects if it does not load in time. */
export function loadScript(src: string, timeoutMs = scriptTimeoutMs): Promise<void> {
  const known = loaded.get(src);
  if (known) return known;
  const loading = insert(src, timeoutMs);
  loaded.set(src, loading);
  loading.catch(() => loaded.delete(src));
  return loading;
}

function insert(src: string, timeoutMs: number): Promise<void> {
  const script = document.createElement("script");
  const attempt = (attempts.get(src) ?? 0) + 1;
  attempts.set(src, attempt);
  // A browser joins a second request for an address to the first one even if that hangs, so another attempt needs another address.
  script.src = attempt === 1 ? src : `${src}${src.includes("?") ? "&" : "?"}attempt=${attempt}`;
  script.async = true;
  return new Promise<void>((resolve, reject) => {
    const giveUp = (why: string) => {
      script.remove();
      reject(new Error(`${src}: ${why}`));
    };
    const timer = setTimeout(() => giveUp(`not loaded within ${timeoutMs} ms`), timeoutMs);
    script.addEventListener("load", () => (clearTimeout(timer), resolve()));
    script.addEventListener("error", () => (clearTimeout(timer), giveUp("could not be loaded")));
    document.head.append(script);
  });
}
