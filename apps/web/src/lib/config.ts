/** Where the panel's calls go, and what else the server puts into the page: one module, so that services can move to other hosts. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";

/** The base address of each service, by the prefix of a call's path. */
const usualBases: readonly (readonly [prefix: string, base: string])[] = [["", "/api"]];

/** The server puts what the first page needs into the page itself; the development server does not. */
export function readMeta<Value>(name: string): Partial<Value> {
  const content = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return content ? (JSON.parse(content) as Value) : {};
}

interface FirstPage {
  bases: typeof usualBases;
  /** A service is on another origin, whose cookies are not the page's. */
  isElsewhere: boolean;
  engine: EngineName;
  developmentInbox: boolean;
  sandbox: boolean;
  hasFrontPage: boolean;
  asksConsent: boolean;
}

/** What differs from the panel's defaults. */
export const firstPage = (): Partial<FirstPage> => readMeta<FirstPage>("slipway-first-page");

export const { bases = usualBases, isElsewhere } = firstPage();

/** The address of a call by its path in the contract; the first base that fits counts. */
export function addressOf(path: string, among = bases): string {
  const [prefix, base] = among.find(([start]) => `${path}/`.startsWith(`${start}/`) || !start)!;
  return base + path.slice(prefix.length);
}
