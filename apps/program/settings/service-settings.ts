/** Settings of where the panel finds the API and its parts. */
import { z } from "zod";
import { isReservedAccountName } from "#contract/accounts/reserved-names.ts";
import { routes } from "#contract/routes.ts";
import { addressOf } from "#apps/web/src/lib/config.ts";
import { leadingOn, paths } from "#apps/web/src/lib/paths.ts";
import { serviceAddresses, unlistedPaths, usualServiceUrls, type ServiceUrls } from "../../api/service-urls.ts";
import { optional, webAddress } from "./setting-shapes.ts";
import { siteOf } from "./site-of.ts";

/** Of plain words, so that a path means the same to a proxy, a browser and this program. */
const plainPath = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

const base = webAddress.refine((url) => {
  const { username, password } = new URL(url);
  return username === "" && password === "" && plainPath.test(url.replace(/^https?:\/\/[^/?#]*/i, ""));
}, "must contain only scheme, host, port and a path of letters, digits, '-', '_' and '.'");

export const serviceSettings = {
  API_URL: optional(base),
  INSTANCE_PATH: optional(z.string().regex(new RegExp(`${plainPath.source.slice(0, -2)}+$`), "must be a path such as /instance")),
  PLANS_URL: optional(base),
  NODE_CATALOGUE_URL: optional(base),
};

type Settings = { [Name in keyof typeof serviceSettings]?: string | undefined };

const normal = (url: string): string => url.replace(/^[^/]*\/\/[^/]+/, (start) => new URL(start).origin);

/** What is not set is where the API is. */
export function readServiceUrls(settings: Settings, publicUrl: string): ServiceUrls {
  const api = normal(settings.API_URL ?? usualServiceUrls(publicUrl).api);
  return {
    api,
    instance: api + (settings.INSTANCE_PATH ?? "/instance"),
    plans: normal(settings.PLANS_URL ?? `${api}/v1/paddle`),
    nodeCatalogue: normal(settings.NODE_CATALOGUE_URL ?? api),
  };
}

/** The addresses that the panel's pages and files have, by their first word. */
const ofPages = new Set([
  "assets",
  "sandbox",
  "paddle",
  "healthz",
  "readyz",
  ...[...Object.values(paths), ...leadingOn].map((path) => path.split("/")[1]!),
]);

/** Where a browser would not send the session's cookie, or a call would not arrive. */
export function serviceProblems(settings: Settings, publicUrl: string): string[] {
  const panel = new URL(publicUrl);
  const problems = (["API_URL", "PLANS_URL", "NODE_CATALOGUE_URL"] as const).flatMap((name) => {
    const given = settings[name];
    const problem = given === undefined ? null : problemOf(new URL(given), panel);
    return problem === null ? [] : [`${name}: ${problem}`];
  });
  if (problems.length > 0) return problems;
  const { bases, ownUrl } = serviceAddresses(publicUrl, readServiceUrls(settings, publicUrl));
  const arrives = (address: string, path: string): boolean => {
    const { pathname, host } = new URL(address, publicUrl);
    return ownUrl({ url: pathname, headers: { host } }) === `/api${path}`;
  };
  const lost = [...Object.values(routes).map(({ path }) => path), ...unlistedPaths].find(
    (path) => !arrives(addressOf(path, bases ?? undefined), path) || !arrives(`/api${path}`, path),
  );
  if (lost === undefined) return [];
  const names = Object.keys(serviceSettings).filter((name) => settings[name as keyof Settings] !== undefined);
  return [`${names.join(", ")}: two services would share an address: calls of ${lost} would not arrive; choose another path`];
}

function problemOf(url: URL, panel: URL): string | null {
  if (url.protocol !== panel.protocol) return `must begin with ${panel.protocol}// as PUBLIC_URL does, or browsers send it no cookie`;
  if (url.hostname === panel.hostname) {
    const first = url.pathname.split("/")[1]!;
    return first === "" || ofPages.has(first.toLowerCase())
      ? "on the panel's own host name it needs a path that no page of the panel has, such as /api"
      : null;
  }
  // With a public suffix as parent, a name beside the panel is another customer's; a panel in the list is alone on its site.
  const isOneSite = siteOf(url.hostname) === siteOf(panel.hostname);
  if (isOneSite && url.hostname.endsWith(`.${panel.hostname}`) && panel.hostname.includes("."))
    return isReservedAccountName(url.hostname.slice(0, -panel.hostname.length - 1))
      ? null
      : "below the panel's host are workspaces, except at a name that none can have, such as api";
  const above = panel.hostname.split(".").slice(1).join(".");
  const parent = siteOf(above) === siteOf(panel.hostname) ? above : "";
  if (!isOneSite || !parent.includes(".") || !url.hostname.endsWith(`.${parent}`))
    return `must be on the panel's host or beside it${parent.includes(".") ? `, such as api.${parent}` : ""}: browsers send the session's cookie to no other site`;
  return null;
}
