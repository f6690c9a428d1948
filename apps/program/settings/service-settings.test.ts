import { expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import { addressOf } from "#apps/web/src/lib/config.ts";
import { serviceAddresses, usualServiceUrls } from "../../api/service-urls.ts";
import { environment } from "./environment.ts";
import { readServiceUrls, serviceProblems, serviceSettings } from "./service-settings.ts";

const panel = "https://app.example.com";

type Given = Partial<Record<keyof typeof serviceSettings, string>>;

const urlsOf = (given: Given, publicUrl = panel) => readServiceUrls(environment.parse(given), publicUrl);
const addressesOf = (given: Given, publicUrl = panel) => serviceAddresses(publicUrl, urlsOf(given, publicUrl));

test("without settings every service is below /api of the panel, and the page says nothing about it", () => {
  expect(urlsOf({})).toEqual(usualServiceUrls(panel));
  expect(addressesOf({})).toMatchObject({ bases: null, otherOrigins: [], otherHosts: [], callers: new Set([panel]) });
});

test("the instance path, the plans service and the node catalogue are where the API is, unless they are set", () => {
  expect(urlsOf({ API_URL: "https://API.example.com:443/" })).toEqual({
    api: "https://api.example.com",
    instance: "https://api.example.com/instance",
    plans: "https://api.example.com/v1/paddle",
    nodeCatalogue: "https://api.example.com",
  });
  expect(
    urlsOf({
      API_URL: "https://api.example.com/v2",
      INSTANCE_PATH: "/own/workspace",
      PLANS_URL: "https://plans.example.com",
      NODE_CATALOGUE_URL: "https://nodes.example.com/public",
    }),
  ).toEqual({
    api: "https://api.example.com/v2",
    instance: "https://api.example.com/v2/own/workspace",
    plans: "https://plans.example.com",
    nodeCatalogue: "https://nodes.example.com/public",
  });
});

test.each<Given>([
  {},
  { API_URL: "https://api.example.com" },
  { API_URL: "https://app.example.com/backend" },
  { API_URL: "https://app.example.com:8443/backend/v1" },
  { API_URL: "https://api.app.example.com" },
  { INSTANCE_PATH: "/v1/own" },
  { API_URL: "https://api.example.com", PLANS_URL: "https://app.example.com/plans", INSTANCE_PATH: "/i" },
  { PLANS_URL: "https://plans.example.com", NODE_CATALOGUE_URL: "https://plans.example.com/nodes" },
])("with %j each call of the panel arrives at its route, with its query", (given) => {
  const { bases, ownUrl } = addressesOf(given);
  for (const { path } of Object.values(routes)) {
    const url = new URL(addressOf(path, bases ?? undefined), panel);
    expect(ownUrl({ url: `${url.pathname}?a=/instance`, headers: { host: url.host } })).toBe(`/api${path}?a=/instance`);
  }
  expect(serviceProblems(given, panel)).toEqual([]);
});

test.each(["https://api.example.com", "https://api.example.com/v2"])(
  "on the host of %s the reference's own calls below /api arrive, and health checks",
  (API_URL) => {
    const { ownUrl } = addressesOf({ API_URL });
    for (const url of ["/api/openapi.json", "/api/auth/login?a=1", "/healthz", "/readyz"])
      expect(ownUrl({ url, headers: { host: "api.example.com" } })).toBe(url);
  },
);

test("what is configured elsewhere is still below /api of the panel, for programs that know it there", () => {
  const { ownUrl } = addressesOf({ API_URL: "https://api.example.com/v2", INSTANCE_PATH: "/own" });
  for (const url of ["/api/instance/journal?a=1", "/login", "/", "/assets/a.js"])
    for (const host of ["app.example.com", "APP.example.com.:8080", undefined]) expect(ownUrl({ url, headers: { host } })).toBe(url);
});

test.each(["/", "/login", "/assets/a.js", "/v22/auth/me", "/auth/me", "/api", "/sandbox/checkout/1"])(
  "a host of the API serves calls and no pages: %s is nothing there",
  (url) => {
    const { ownUrl, otherHosts } = addressesOf({ API_URL: "https://api.example.com/v2" });
    expect(otherHosts).toEqual(["api.example.com"]);
    expect(ownUrl({ url, headers: { host: "Api.example.com:443" } })).toBe("/api/-");
  },
);

test.each<[Given, string]>([
  [{ API_URL: "http://api.example.com" }, "API_URL: must begin with https:// as PUBLIC_URL does"],
  [{ API_URL: "https://api.example.org" }, "API_URL: must be on the panel's host or beside it, such as api.example.com"],
  [{ PLANS_URL: "https://badexample.com" }, "PLANS_URL: must be on the panel's host or beside it"],
  [{ NODE_CATALOGUE_URL: "https://10.0.0.1/nodes" }, "NODE_CATALOGUE_URL: must be on the panel's host or beside it"],
  [{ API_URL: "https://shop.app.example.com" }, "API_URL: below the panel's host are workspaces, except at a name that none can have"],
  [{ API_URL: "https://v2.api.app.example.com" }, "API_URL: below the panel's host are workspaces, except at a name that none can have"],
  [{ API_URL: "https://app.example.com" }, "API_URL: on the panel's own host name it needs a path"],
  [{ API_URL: "https://app.example.com:8443" }, "API_URL: on the panel's own host name it needs a path"],
  [{ API_URL: "https://app.example.com/Dashboard/api" }, "API_URL: on the panel's own host name it needs a path that no page"],
  [{ API_URL: "https://app.example.com/assets" }, "API_URL: on the panel's own host name it needs a path that no page"],
  [{ INSTANCE_PATH: "/auth" }, "INSTANCE_PATH: two services would share an address"],
  [{ PLANS_URL: "https://app.example.com/api" }, "PLANS_URL: two services would share an address"],
  [{ INSTANCE_PATH: "/account/plan" }, "INSTANCE_PATH: two services would share an address"],
  [{ INSTANCE_PATH: "/webhooks" }, "INSTANCE_PATH: two services would share an address: calls of /webhooks/:provider would not arrive"],
  [{ INSTANCE_PATH: "/docs" }, "INSTANCE_PATH: two services would share an address: calls of /docs would not arrive"],
  [
    { API_URL: "https://api.example.com", PLANS_URL: "https://app.example.com/api/account" },
    "API_URL, PLANS_URL: two services would share an address",
  ],
  [{ API_URL: "https://app.example.com/paddle" }, "API_URL: on the panel's own host name it needs a path that no page"],
])("%j is refused: %s", (given, problem) => {
  expect(serviceProblems(environment.parse(given), panel)).toEqual([expect.stringContaining(problem)]);
});

test.each<Given>([
  { API_URL: "https://api.example.com/a?b=c" },
  { API_URL: "https://user:password@api.example.com" },
  { API_URL: "https://api.example.com/a%20b" },
  { API_URL: "https://api.example.com/a/../b" },
  { API_URL: "ftp://api.example.com" },
  { API_URL: "/api" },
  { INSTANCE_PATH: "instance" },
  { INSTANCE_PATH: "/" },
  { INSTANCE_PATH: "/instance/" },
  { INSTANCE_PATH: "/:id" },
  { INSTANCE_PATH: "https://api.example.com/instance" },
])("%j is no address of a service", (given) => {
  expect(environment.safeParse(given).success).toBe(false);
});

test("names below localhost are sites of their own, so there the API can only be on another port", () => {
  for (const publicUrl of ["http://app.localhost:3000", "http://localhost:3000"])
    expect(serviceProblems({ API_URL: "http://api.localhost:3000" }, publicUrl)).toHaveLength(1);
  expect(serviceProblems({ API_URL: "http://localhost:3100/api" }, "http://localhost:3000")).toEqual([]);
});

test.each([
  ["https://acme.github.io", "https://api.github.io"],
  ["https://acme.co.uk", "https://api.co.uk"],
  ["https://app.fly.dev", "https://api.fly.dev"],
  // In the list itself: browsers take each name below it for a site of its own.
  ["https://fly.dev", "https://api.fly.dev"],
])("for %s, %s is another site, whose session browsers would not send: refused", (publicUrl, API_URL) => {
  expect(serviceProblems({ API_URL }, publicUrl)).toEqual([
    "API_URL: must be on the panel's host or beside it: browsers send the session's cookie to no other site",
  ]);
});

test.each([
  ["https://app.acme.co.uk", "https://api.acme.co.uk"],
  ["https://app.acme.github.io", "https://api.acme.github.io"],
  ["https://acme.github.io", "https://api.acme.github.io"],
  ["https://app.slipway.internal", "https://api.slipway.internal"],
])("for %s, %s is the same site", (publicUrl, API_URL) => {
  expect(serviceProblems({ API_URL }, publicUrl)).toEqual([]);
});
