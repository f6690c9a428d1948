/** Where each page of the panel leads visitors and users in every state, with the real API behind the guards. */
import { createStaticHandler, type RouteObject } from "react-router";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";
import { routes } from "../../routes.tsx";
import { endSession, refreshUser } from "./session.ts";

let api: TestApi;
let token: string | undefined;
const panel = "http://localhost:3000";

/** The pages themselves are not tested here: only who can reach them. */
const withoutPages = (list: readonly RouteObject[]): RouteObject[] =>
  list.map(
    ({ lazy: _page, Component: _layout, children, ...route }) =>
      ({ ...route, ...(children ? { children: withoutPages(children) } : {}) }) as RouteObject,
  );
const handler = createStaticHandler(withoutPages(routes));

beforeAll(async () => {
  api = await createTestApi();
  vi.stubGlobal("fetch", async (address: string, { method }: RequestInit) => {
    const answer = await api.call(method as "GET", address, token ? { token } : {});
    return new Response(answer.statusCode === 204 ? null : answer.body, {
      status: answer.statusCode,
      headers: { "content-type": "application/json" },
    });
  });
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterAll(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await api[Symbol.asyncDispose]();
});

/** Follows redirects within the panel; says where they end, or with what status. */
async function land(path: string): Promise<string> {
  let address = path;
  for (let hops = 0; hops < 6; hops += 1) {
    const answer = (await handler.query(new Request(panel + address), {
      generateMiddlewareResponse: async (query) => {
        const result = await query(new Request(panel + address));
        return result instanceof Response ? result : new Response(null, { status: result.statusCode });
      },
    })) as unknown as Response;
    const next = answer.headers.get("location");
    if (!next) return answer.status === 200 ? address : String(answer.status);
    if (!next.startsWith("/")) return new URL(next).host + new URL(next).pathname;
    address = next;
  }
  return "a loop";
}

const sql = (text: string, name: unknown) => api.database.pool.query(text, [name]);
const ofAccount = "account_id = (select id from accounts where name = $1)";

async function launched(version = "2.40.7") {
  const somebody = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token: somebody.token, body: { timezone: "Etc/UTC" } });
  await sql(
    `update workspaces set observed_state = 'online', observed_generation = generation, observed_version = '${version}', desired_version = '${version}' where ${ofAccount}`,
    somebody.form.accountName,
  );
  return somebody;
}

async function paying(status: string) {
  const somebody = await launched();
  await sql(`update subscriptions set status = '${status}' where ${ofAccount}`, somebody.form.accountName);
  return somebody;
}

const people = {
  "signed out": () => Promise.resolve(null),
  unconfirmed: () => registerSomebody(api),
  confirmed: () => registerConfirmed(api),
  "set up": () => launched(),
  past_due: () => paying("past_due"),
  paused: () => paying("paused"),
} as const;
type Person = keyof typeof people;

async function become(person: Person): Promise<void> {
  token = (await people[person]())?.token;
  endSession();
  if (token) await refreshUser();
}

const login = (path: string) => `/login?returnPath=${encodeURIComponent(path)}`;
const stays = (path: string) => path;
type Landing = (path: string) => string;
const to =
  (target: string): Landing =>
  () =>
    target;
const everybody = (landing: Landing): Record<Person, Landing> => ({
  "signed out": landing,
  unconfirmed: landing,
  confirmed: landing,
  "set up": landing,
  past_due: landing,
  paused: landing,
});
const signedIn = (landing: Landing): Record<Person, Landing> => ({ ...everybody(landing), "signed out": login });
const beforeSetup = signedIn(to("/dashboard"));
const afterSetup: Record<Person, Landing> = { ...signedIn(stays), unconfirmed: to("/dashboard"), confirmed: to("/dashboard") };
const toManage: Record<Person, Landing> = { ...signedIn(to("/manage")), unconfirmed: to("/dashboard"), confirmed: to("/dashboard") };
const visitors = { ...everybody(to("/dashboard")), "signed out": stays };
const home = { ...everybody(to("/dashboard")), "signed out": to("/login") };

/** The seventeen pages of the product's promise, then the pages whose paths it does not name. */
const table: Record<string, Record<Person, Landing>> = {
  "/": home,
  "/login": visitors,
  "/register": visitors,
  "/confirm-email": everybody(stays),
  "/magic-link": visitors,
  "/dashboard": signedIn(stays),
  "/help": everybody(stays),
  "/invite-teammate": signedIn(stays),
  "/manage": afterSetup,
  "/manage/instance": afterSetup,
  "/manage/billing": { ...toManage, past_due: stays, paused: stays },
  "/manage/export": afterSetup,
  // The page itself redirects users who owe something (e2e/billing.panel.test.ts).
  "/account/change-plan": afterSetup,
  "/account/launching": afterSetup,
  "/account/setup": { ...beforeSetup, unconfirmed: to("/verify-email"), confirmed: stays },
  "/app-selection": home,
  "/send-confirmation": home,
  "/account/checkout": afterSetup,
  "/account/survey": { ...beforeSetup, unconfirmed: stays, confirmed: stays },
  "/account/apps": { ...beforeSetup, unconfirmed: stays, confirmed: stays },
  "/verify-email": signedIn(stays),
  "/forgot-password": everybody(stays),
  "/reset-password": everybody(stays),
  "/change-email": everybody(stays),
  "/login/continue": everybody(stays),
  "/manage/members": afterSetup,
  "/manage/monitoring": afterSetup,
  "/manage/logs": afterSetup,
  "/manage/settings": { ...toManage, "signed out": () => login("/manage") },
  "/manage/versions": afterSetup,
  "/manage/backups": afterSetup,
  "/manage/danger": afterSetup,
  "/open": afterSetup,
};

test("the table has the seventeen promised rows first", () => expect(Object.keys(table).slice(0, 17)).toHaveLength(17));

test.each(Object.keys(people) as Person[])("%s: every page admits or redirects as promised", async (person) => {
  await become(person);
  const landed: Record<string, string> = {};
  for (const path of Object.keys(table)) landed[path] = await land(path);
  expect(landed).toEqual(Object.fromEntries(Object.entries(table).map(([path, byPerson]) => [path, byPerson[person](path)])));
});

test.each([
  ["/login?returnPath=/help", "/help"],
  ["/login?returnPath=//evil", "/dashboard"],
  ["/register?returnPath=/help.html", "/dashboard"],
  ["/login?code=1&returnPath=/manage", "/login?code=1&returnPath=/manage"],
])("a signed-in user who opens %s is redirected to %s", async (path, target) => {
  await become("set up");
  expect(await land(path)).toBe(target);
});

test("signed out, the way back keeps its query", async () => {
  await become("signed out");
  expect(await land("/dashboard?a=1&b=%2F")).toBe(login("/dashboard?a=1&b=%2F"));
});

test.each([
  ["2.40.7", "/templates/12/setup"],
  ["1.24.0", "/templates/12/setup"],
  ["1.23.9", "/workflows/templates/12"],
])("with a workspace of version %s a template opens in its editor", async (version, template) => {
  const { token: itsToken, form } = await launched(version);
  token = itsToken;
  endSession();
  await refreshUser();
  for (const page of ["/manage", "/dashboard", "/account/launching"]) {
    expect(await land(`${page}?templateId=12&templateId=13`)).toBe(`${form.accountName}.localhost:3000/_slipway/login`);
  }
  const { url } = (await api.call("GET", `/api/instance/url?path=${encodeURIComponent(template)}`, { token })).json() as { url: string };
  expect(new URL(url).searchParams.get("to")).toBe(template);
});

test("a template does not interrupt the sign-up", async () => {
  await become("confirmed");
  expect(await land("/manage?templateId=12")).toBe("/dashboard");
  expect(await land("/dashboard?templateId=12")).toBe("/dashboard?templateId=12");
});

test.each(["/help/Not%20an%20id", "/help/UPPER", `/help/${"a".repeat(65)}`])("%s fails its validation and is no page", async (path) => {
  await become("set up");
  expect(await land(path)).toBe("404");
});

test("if the operator wants a front page, visitors stay at /; a user who is signed in, or was until now, is redirected as usual", async () => {
  vi.stubGlobal("document", {
    querySelector: (selector: string) => (selector.includes("slipway-first-page") ? { content: '{"hasFrontPage":true}' } : null),
  });
  try {
    token = undefined;
    endSession();
    expect(await land("/")).toBe("/");
    expect(await land("/?returnPath=%2Fmanage")).toBe("/login?returnPath=%2Fmanage");
    await become("set up");
    expect(await land("/")).toBe("/dashboard");
  } finally {
    vi.stubGlobal("document", undefined);
  }
});
