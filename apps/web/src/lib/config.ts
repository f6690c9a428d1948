/**
 * The base address of each service, by the prefix of a call's path: one module, so that services can move to other hosts. The server puts
 * into the page where they are, if they have moved.
 */
const usualBases: readonly (readonly [prefix: string, base: string])[] = [
  ["/instance", "/api/instance"],
  ["/v1/paddle", "/api/v1/paddle"],
  ["", "/api"],
];

/** The server puts what the first page needs into the page itself; the development server does not. */
export function readMeta<Value>(name: string): Partial<Value> {
  const content = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return content ? (JSON.parse(content) as Value) : {};
}

const bases = readMeta<{ bases: typeof usualBases }>("slipway-first-page").bases ?? usualBases;

/** Whether a service is on another origin: then calls must be told to send the session's cookie. */
export const isElsewhere = bases.some(([, base]) => !base.startsWith("/"));

export const credentials: RequestCredentials = isElsewhere ? "include" : "same-origin";

/** The address of a call by its path in the contract; the first base that fits counts. */
export function addressOf(path: string, among = bases): string {
  const [prefix, base] = among.find(([start]) => `${path}/`.startsWith(`${start}/`) || !start)!;
  return base + path.slice(prefix.length);
}

/** The API's reference, which the service makes of the contract. */
export const apiReference = addressOf("/docs");
