/** Holds the stand-in of the API against the API itself, over a real database: the same answers, shapes and refusals. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstDaySteps, onboardingSteps } from "#contract/accounts/account-values.ts";
import { personHeader } from "#contract/api/person-header.ts";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { createMovableClock } from "#platform/clock.ts";
import { createSandboxApi, type SandboxApi } from "../payments/sandbox-api.ts";
import { startTestLooks, type TestLooks } from "../fleet/start-test-looks.ts";
import { createTestMembers } from "../accounts/test-members.ts";
import { registerConfirmed } from "../test-api.ts";
import { createTestClock } from "../test-clock.ts";
import { buildAccount } from "../accounts/build-account.ts";
import { usualAnswers, type RouteName } from "./panel-answers.ts";
import { servePanel, type PanelServer } from "./serve-panel.ts";

let api: SandboxApi;
let looks: TestLooks;
let panel: PanelServer;

/** The same two people in both: a customer without a workspace, and an owner on a trial whose workspace is online. */
let people: Record<"newcomer" | "owner", { real: string; standIn: string }>;

beforeAll(async () => {
  const clock = createTestClock();
  // The developer bar's routes exist only if the clock can be moved.
  api = await createSandboxApi({ clock, timeTravel: { clock: createMovableClock(clock), dueWork: [], wake: () => undefined } });
  looks = await startTestLooks(api, {
    members: createTestMembers(),
    communityNodes: { list: async () => ({ isOffered: true, nodes: [] }) },
  });
  panel = await servePanel();
  const steps = onboardingSteps.map((name) => ({ name, state: "todo" as const }));
  const firstDays = firstDaySteps.map((name) => ({ name, isDone: false }));
  const account = buildAccount({ isSetup: false, planSpec: null, instance: null, onboarding: { next: "survey", steps }, firstDays });
  people = {
    newcomer: { real: await signIn((await registerConfirmed(api)).form), standIn: panel.signIn({ user: { account } }).token },
    owner: { real: await registerOwner(), standIn: panel.signIn().token },
  };
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await looks?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

const all = Object.entries(routes) as [RouteName, RouteContract][];
const values: Record<string, string> = { ":name": "free-name", ":username": "nobody-there", ":token": "a".repeat(40) };
/** Of the first plan where that is what the id is of, otherwise of nothing. */
const pathOf = ({ path }: RouteContract): string =>
  `/api${path
    .replace("plan/:id", "plan/pro-1-monthly")
    .replaceAll(/:\w+/g, (name) => values[name] ?? "019f0000-0000-7000-8000-000000000000")}`;

interface Answered {
  status: number;
  type: string;
  json: unknown;
}

type Headers = Record<string, string>;
interface Call {
  token?: string;
  body?: unknown;
  headers?: Headers;
}

async function askApi({ method }: RouteContract, path: string, call: Call): Promise<Answered> {
  const answer = await api.call(method, path, call);
  return { status: answer.statusCode, type: typeOf(answer.headers["content-type"]), json: answer.body ? parsed(answer.body) : null };
}

async function askPanel({ method }: RouteContract, url: string, { token, body, headers }: Call): Promise<Answered> {
  const { origin, host } = new URL(panel.url);
  const answer = await panel.app.inject({
    method,
    url,
    ...(body === undefined ? {} : { payload: body as object }),
    headers: { origin, host, ...(token ? { cookie: `token=${token}` } : {}), ...headers },
  });
  return { status: answer.statusCode, type: typeOf(answer.headers["content-type"]), json: answer.body ? parsed(answer.body) : null };
}

const typeOf = (type: unknown): string => String(type ?? "").split(";")[0]!;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return "no JSON";
  }
}

/** The structure of an answer, without its values: names, types, and what is null. Of a list, that of its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (value === null || typeof value !== "object") return value === null ? null : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, shapeOf(part)]),
  );
}

/** Without the one that ends the session. */
const reading = all.filter(
  ([name, { method, success }]) => name in usualAnswers && name !== "logOut" && (method === "GET" || method === "HEAD") && !success.stream,
);

/** As a browser does. */
async function signIn({ email, password }: Record<string, unknown>): Promise<string> {
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36" };
  return (await api.call("POST", "/api/auth/login", { body: { login: email, password }, headers })).json<{ token: string }>().token;
}

async function registerOwner(): Promise<string> {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Europe/Berlin" } });
  const { rows } = await api.database.pool.query<{ id: string; number: number }>(
    `update workspaces set observed_state = 'online', observed_generation = generation, observed_version = desired_version,
      gateway_open = true, owner_set_up_at = now(), reconcile_at = null
    where observed_state = 'none' returning id, number`,
  );
  const run = { run: true, generation: 1, command: ["/engine"], env: {}, files: [], memoryMb: 512, stopTimeoutMs: 1000 };
  for (const { id, number } of rows)
    await looks.driver.ensure({ ...run, ports: ["http"], workspaceId: id, workspaceNumber: Number(number) });
  return signIn(form);
}

test.each(reading)("%s answers a newcomer and an owner in the API's shape", async (name, route) => {
  for (const [who, tokens] of Object.entries(people)) {
    const [real, standIn] = [
      await askApi(route, pathOf(route), { token: tokens.real }),
      await askPanel(route, pathOf(route), { token: tokens.standIn }),
    ];
    expect({ ...standIn, json: shapeOf(standIn.json) }, `${who}: ${name}`).toEqual({ ...real, json: shapeOf(real.json) });
  }
});

const ended = "a".repeat(43);
/** Requests that the frame refuses before an answer is looked for, whatever the call. */
const refused: Record<string, (token: string) => Call> = {
  "signed out": () => ({ body: {} }),
  "with an ended session": () => ({ token: ended, body: {} }),
  "from another site": (token) => ({ token, body: {}, headers: { origin: "http://evil.localhost:3000", "sec-fetch-site": "same-site" } }),
  "for another user of this browser": (token) => ({ token, body: {}, headers: { [personHeader]: "019f0000-0000-7000-8000-0000000000ff" } }),
  "with a list for a body": (token) => ({ token, body: [] }),
  "with a body that is no JSON": (token) => ({ token, body: "{", headers: { "content-type": "application/json" } }),
  "as a form": (token) => ({ token, body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }),
};
/** Refusals that depend on the request alone. What the API refuses because of its data, a test answers. */
const generic = [
  "signed_out",
  "session_expired",
  "cross_origin",
  "other_person",
  "validation_failed",
  "bad_request",
  "unsupported_media_type",
];

interface Refusal {
  status: number;
  code?: string;
  title?: string;
  detail?: string;
  errors?: unknown;
}

/** What a page reads of a refusal. */
function refusalOf({ status, json }: Answered): Refusal | null {
  if (status < 400) return null;
  const { code, title, detail, errors } = (json ?? {}) as Omit<Refusal, "status">;
  return { status, code, title, detail, errors } as Refusal;
}

test.each(Object.keys(refused))("a call %s is refused as by the API", async (how) => {
  const { real, standIn } = people.newcomer;
  let compared = 0;
  for (const [name, route] of all.filter(([each]) => each !== "logOut")) {
    const expected = refusalOf(await askApi(route, pathOf(route), refused[how]!(real)));
    if (!generic.includes(expected?.code ?? "")) continue;
    compared += 1;
    expect(refusalOf(await askPanel(route, pathOf(route), refused[how]!(standIn))), name).toEqual(expected);
  }
  expect(compared).toBeGreaterThan(20);
});
