/**
 * Where the services of the contract are: the API, the instance API below it, the plans service and the node catalogue. All are this
 * program, which may serve them on other hosts or paths than the panel's `/api`; there they are always available too.
 */
import type { IncomingMessage } from "node:http";

/** Their bases, as URLs without a slash at the end. */
export interface ServiceUrls {
  api: string;
  instance: string;
  plans: string;
  nodeCatalogue: string;
}

export const usualServiceUrls = (publicUrl: string): ServiceUrls => ({
  api: `${publicUrl}/api`,
  instance: `${publicUrl}/api/instance`,
  plans: `${publicUrl}/api/v1/paddle`,
  nodeCatalogue: `${publicUrl}/api`,
});

export interface ServiceAddresses {
  /** By the prefix of a call's path, where it is, seen from the panel's pages; the first that fits counts. Null: as the panel expects. */
  bases: [prefix: string, base: string][] | null;
  /** Origins other than the panel's that its pages call. */
  otherOrigins: string[];
  /** Those of them that have pictures: the node catalogue's. */
  pictureOrigins: string[];
  /** Host names that serve calls and no pages. */
  otherHosts: string[];
  /** The panel's own origin, and the API's, where its reference is: the pages that may make changes with the session's cookie. */
  callers: ReadonlySet<string>;
  /** The URL of a request as the API's routes have it. */
  ownUrl(request: Pick<IncomingMessage, "url" | "headers">): string;
}

/** Paths of the API that are not in the contract. */
export const unlistedPaths: readonly string[] = ["/docs", "/openapi.json", "/webhooks/:provider"];

/** Load balancers request these under any host name. */
export const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Nothing has this address: what is asked of a host that serves no pages is not answered with one. */
const nowhere = "/api/-";

export function serviceAddresses(publicUrl: string, urls: ServiceUrls = usualServiceUrls(publicUrl)): ServiceAddresses {
  const panel = new URL(publicUrl);
  const families = [
    ["/instance", new URL(urls.instance)],
    ["/v1/paddle", new URL(urls.plans)],
    ["/graphql", new URL(`${urls.nodeCatalogue}/graphql`)],
    ["/node-catalogue", new URL(`${urls.nodeCatalogue}/node-catalogue`)],
    ["", new URL(urls.api)],
  ] as const;
  const placed = families.map(([prefix, { hostname, origin, pathname }]) => ({
    prefix,
    hostname,
    origin,
    path: pathname.replace(/\/$/, ""),
  }));
  const origins = new Set(placed.map(({ origin }) => origin));
  const otherHosts = [...new Set(placed.map(({ hostname }) => hostname))].filter((name) => name !== panel.hostname);
  // The longest path first: the instance API may be below the API.
  const deepestFirst = placed.toSorted((one, other) => other.path.length - one.path.length);
  const isUsual = placed.every(({ prefix, origin, path }) => origin === panel.origin && path === `/api${prefix}`);
  return {
    bases: isUsual ? null : placed.map(({ prefix, origin, path }) => [prefix, origin === panel.origin ? path : origin + path]),
    otherOrigins: [...origins].filter((origin) => origin !== panel.origin),
    pictureOrigins: [new URL(urls.nodeCatalogue).origin].filter((origin) => origin !== panel.origin),
    otherHosts,
    callers: new Set([panel.origin, new URL(urls.api).origin]),
    ownUrl({ url = "/", headers }) {
      const name = hostNameOf(headers.host);
      const isElsewhere = otherHosts.includes(name);
      const at = isElsewhere ? name : panel.hostname;
      const end = url.indexOf("?");
      const path = end < 0 ? url : url.slice(0, end);
      const found = deepestFirst.find((base) => base.hostname === at && `${path}/`.startsWith(`${base.path}/`));
      // The reference, on the API's host, has its calls below /api, also where that host has no path of its own.
      const isOwn = path.startsWith("/api/") || healthPaths.has(path);
      if (found && !(isOwn && found.path === "")) return `/api${found.prefix}${url.slice(found.path.length)}`;
      return isElsewhere && !isOwn ? nowhere : url;
    },
  };
}

/** Ports are ignored, as by the front door: the visitor's may differ from ours. */
const hostNameOf = (host = ""): string => host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
