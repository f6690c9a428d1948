/**
 * Calls every route of the contract with bodies, parameters and headers that are made from the shapes and then broken.
 * The choices follow a seed, so that a failure can be repeated; set FUZZ_SEED and FUZZ_CASES to search further.
 */
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { problem } from "#contract/api/problem.ts";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { createMovableClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { buildFromSchema, type Words } from "#testing/hostile/build-from-schema.ts";
import { oddHeaders } from "#testing/hostile/hostile-headers.ts";
import { breakValue, hostileStrings } from "#testing/hostile/hostile-values.ts";
import { seededChoices, type SeededChoices } from "#platform/seeded-random.ts";
import { createSandboxApi, payingForm, registerOnTrial, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import { createTestMembers } from "#testing/accounts/test-members.ts";
import { startTestLooks, type TestLooks } from "#testing/fleet/start-test-looks.ts";
import { createTestClock } from "#testing/test-clock.ts";
import { isQuickRun } from "#testing/this-run.ts";
import { forgetCalls, registerSomebody } from "#testing/test-api.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
/** A third as many in `npm test`. */
const casesOfCall = Number(process.env["FUZZ_CASES"] ?? (isQuickRun ? 8 : 25));

/** Marks the test's secrets, which must never appear in a response or a log line. */
const hush = "hush-7f3a";
const password = `${hush} correct horse`;
const cardNumber = "4242424242424242";

const lines: string[] = [];
const log = createLog(
  "trace",
  undefined,
  new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) }),
);

interface Person {
  who: "nobody" | "newcomer" | "owner" | "customer";
  token: string | undefined;
}

let api: SandboxApi;
/** Without it, each question about a workspace would wait three seconds for an answer. */
let looks: TestLooks;
const people = new Map<Person["who"], Person>();
const makers: Readonly<Record<Person["who"], () => Promise<string | undefined>>> = {
  nobody: () => Promise.resolve(undefined),
  newcomer: async () => (await registerSomebody(api, { password })).token,
  owner,
  customer: async () => {
    const token = await owner();
    await api.send(await api.openCheckout(token), payingForm());
    await api.runSandbox();
    return token;
  },
};

/** A customer with an online workspace. */
async function owner(): Promise<string> {
  const token = await registerOnTrial(api);
  const { rows } = await api.database.pool.query<{ id: string; number: number }>(
    `update workspaces set observed_state = 'online', observed_generation = generation, observed_version = desired_version, reconcile_at = null
    where observed_state = 'none' returning id, number`,
  );
  const run = { run: true, generation: 1, command: ["/engine"], env: {}, files: [], memoryMb: 512, stopTimeoutMs: 1000 };
  for (const { id, number } of rows)
    await looks.driver.ensure({ ...run, ports: ["http"], workspaceId: id, workspaceNumber: Number(number) });
  return token;
}

/** Signs in again if an earlier call ended the session. */
async function personOf(who: Person["who"]): Promise<Person> {
  const known = people.get(who);
  if (known && (!known.token || (await api.call("GET", "/api/auth/me", { token: known.token })).statusCode === 200)) return known;
  const person = { who, token: await makers[who]() };
  people.set(who, person);
  return person;
}

beforeAll(async () => {
  const clock = createTestClock();
  api = await createSandboxApi({ clock, log, timeTravel: { clock: createMovableClock(clock), dueWork: [], wake: () => undefined } });
  const communityNodes = { list: async () => ({ isOffered: true, nodes: [] }) };
  looks = await startTestLooks(api, { members: createTestMembers(), communityNodes });
});
afterAll(async () => {
  await looks?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

const good: Readonly<Record<string, readonly unknown[]>> = {
  provider: ["sandbox"],
  type: ["subscription.updated"],
  email: ["ada1@example.com", "new@example.com"],
  emailConfirmation: ["ada1@example.com", "new@example.com"],
  emails: ["mate@example.com", "ada1@example.com"],
  accountName: ["ada-1", "ada-2", "somebody-new"],
  username: ["ada-1", "nobody-here"],
  login: ["ada-1", "ada1@example.com"],
  name: ["ada-1", "n8n-nodes-base.slack", "Ada Lovelace"],
  password: [password, `${hush} wrong`, "correct horse battery"],
  currentPassword: [password, `${hush} wrong`],
  passphrase: [`${hush} a long passphrase`],
  challenge: ["off"],
  token: [`${hush}-token-that-is-none`],
  code: [`${hush}.a.b`],
  previewId: ["v1.AAAA", `v1.${"A".repeat(80)}`],
  id: ["pro-1-monthly", "019f0000-0000-7000-8000-000000000000"],
  planId: ["pro-1-monthly", "custom-1-monthly", "trial-1"],
  timezone: ["Etc/UTC", "Europe/Berlin"],
  revision: ["a"],
  versionName: ["2.40.7", "2.38.7"],
  templateId: ["1"],
  apps: ["n8n-nodes-base.slack"],
  currency: ["USD", "EUR"],
  path: ["/workflow/new"],
  before: ["1", "999999999999999999", "9999999999999_019f0000-0000-7000-8000-000000000000"],
  version: ["2.40.7"],
  anonymousId: ["12345678"],
  query: ["{ nodes { name } }", "{ __schema { types { name } } }"],
  country: ["DE", "US"],
  vatId: ["", "DE123456789"],
  line1: ["Street 1"],
  postalCode: ["10115"],
  city: ["Berlin"],
  advance: ["1d", "9999mo", "9999d"],
  monthlyExecutions: [10_000, 50_000],
  activeWorkflows: [20, 50],
  refundCustomer: ["019f0000-0000-7000-8000-000000000000"],
  disputeCustomer: ["019f0000-0000-7000-8000-000000000000"],
};
const words: Words = (field) => good[field] ?? [];
const hushed = new Set(["password", "currentPassword", "passphrase", "token", "code"]);

/** Marks values in the place of secrets, so that they can be recognized. */
const mark = (_key: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      hushed.has(name) &&
      typeof held === "string" &&
      held !== "" &&
      held.length < 900 &&
      held !== "correct horse battery" &&
      !held.startsWith(hush)
        ? `${hush}${held}`
        : held,
    ]),
  );
};

/** Encoded for a URL, including sequences that no encoder would produce. */
const inAddress = (text: string): string =>
  text.startsWith("%")
    ? text
    : Buffer.from(text, "utf8")
        .toString("latin1")
        .replace(/[^\w.~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);

interface Asked {
  url: string;
  payload: string | Buffer | undefined;
  headers: Record<string, string>;
  /** No call may accept it. */
  isSpoilt: boolean;
}

/** An unknown field, or a byte that is no UTF-8: where a program would drop or replace it, the rest of the request would be carried out. */
const spoil = (json: string, random: SeededChoices): string | Buffer =>
  random.percent(50)
    ? json.replace("{", '{"aMisspeltField":1,')
    : Buffer.concat([Buffer.from('{"aMisspelt'), Buffer.from([random.pick([0x80, 0xc0, 0xff])]), Buffer.from(`":1,${json.slice(1)}`)]);

function buildRequest(route: RouteContract, { token }: Person, random: SeededChoices): Asked {
  const fill = (type: z.ZodType): Record<string, unknown> => buildFromSchema(type, words, random) as Record<string, unknown>;
  const params = route.params ? fill(route.params) : {};
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    inAddress(random.percent(50) ? random.pick(hostileStrings).slice(0, 2_000) : String(params[name])),
  );
  const asked = Object.entries(route.query ? fill(route.query) : {}).map(
    ([name, value]) => `${name}=${inAddress(random.percent(50) ? random.pick(hostileStrings).slice(0, 5_000) : String(value))}`,
  );
  if (random.percent(15))
    asked.push(
      random.pick([
        "__proto__=a",
        "a[]=b",
        "a[b][c]=d",
        "path=a&path=b",
        "%",
        "=",
        "&&&",
        "before=1&before=2",
        "constructor[prototype]=x",
        "a=%00",
      ]),
    );
  const url = `/api${path}${asked.length > 0 ? `?${asked.join("&")}` : ""}`;

  let payload: string | Buffer | undefined;
  let isSpoilt = false;
  if (route.body) {
    const fitting = fill(route.body);
    payload = JSON.stringify(random.percent(25) ? fitting : breakValue(fitting, random), mark);
    if (random.percent(5)) payload = payload.replace("{", `{"password":"${hush}x","email":"first@example.com","accountName":[],`);
    if (random.percent(3)) payload = payload.slice(0, -1);
    else if (random.percent(10) && payload.startsWith('{"')) [payload, isSpoilt] = [spoil(payload, random), true];
  }
  const odd = random.percent(30) ? oddHeaders(random) : { headers: {} };
  return {
    url,
    payload: odd.payload ?? payload,
    isSpoilt: isSpoilt && odd.payload === undefined,
    headers: {
      host: "localhost:3000",
      origin: "http://localhost:3000",
      ...(payload === undefined && odd.payload === undefined ? {} : { "content-type": "application/json" }),
      ...(token ? { cookie: `token=${token}` } : {}),
      ...(random.percent(50) ? { "idempotency-key": `key-${random.below(50)}-of-a-test` } : {}),
      ...odd.headers,
    },
  };
}

/** Every route of the API: the contract and the payment provider's webhook. */
const doors: Readonly<Record<string, RouteContract>> = {
  ...routes,
  webhooks: {
    method: "POST",
    path: "/webhooks/:provider",
    tag: "",
    summary: "",
    auth: "none",
    params: z.object({ provider: z.string() }),
    body: z.object({ id: z.string(), type: z.string() }),
    success: { status: 200, body: null },
    problems: [],
  },
};

/** Refusals with a 5xx status that are intended. */
const promised = new Set(["payments_unavailable", "instance_operations_off", "unavailable"]);
const insides =
  /node_modules|\bat [\w.<>]+ \(|\.ts:\d+|\$argon2|a key for tests|"(?:select|insert into|update) |drizzle|password_hash|ECONN|violates|invalid input syntax/;

/** What is wrong with a response; null if nothing is. */
function judge(status: number, contentType: unknown, body: string, isHead: boolean): string | null {
  if (body.includes(hush)) return "it says a secret again";
  if (status < 400) return /\$argon2|a key for tests|password_hash/.test(body) ? "it holds a secret" : null;
  if (isHead) return status >= 500 ? "it failed" : null;
  if (!String(contentType).startsWith("application/problem+json")) return `it is no problem but ${String(contentType)}`;
  const read = problem.strict().safeParse(JSON.parse(body));
  if (!read.success) return "it does not look like a problem";
  if (read.data.status !== status) return "it names another status";
  if (status >= 500 && !promised.has(read.data.code)) return "it failed";
  return insides.test(body) ? "it shows the inside" : null;
}

/** The cause of a failed response, from the log. */
function causeOf(body: string): string {
  const { requestId } = JSON.parse(body) as { requestId: string };
  const line = lines.find((each) => each.includes(requestId) && each.includes('"err"')) ?? "{}";
  return JSON.stringify((JSON.parse(line) as { err?: { stack?: string } }).err?.stack).slice(0, 900);
}

test("no call fails, reveals internals or repeats a secret, whatever it is sent", { timeout: 1_800_000 }, async () => {
  const random = seededChoices(seed);
  const wrong: string[] = [];
  let asked = 0;
  for (const [name, route] of Object.entries(doors)) {
    for (let at = 0; at < casesOfCall; at += 1) {
      // A stream has no end to wait for unless it is refused.
      const who = route.success.stream ? "nobody" : random.pick(["nobody", "newcomer", "owner", "owner", "customer"] as const);
      const person = at % 5 === 0 ? await personOf(who) : (people.get(who) ?? (await personOf(who)));
      const { url, payload, headers, isSpoilt } = buildRequest(route, person, random);
      const address = `10.${random.below(250)}.${random.below(250)}.${random.below(250)}`;
      const answer = await api.app.inject({
        method: route.method,
        url,
        headers,
        remoteAddress: address,
        ...(payload === undefined ? {} : { payload }),
      });
      asked += 1;
      const verdict =
        judge(answer.statusCode, answer.headers["content-type"], answer.body, route.method === "HEAD") ??
        (isSpoilt && answer.statusCode < 400 ? "it accepted a spoilt body" : null);
      if (verdict)
        wrong.push(
          `${name} (${who}): ${answer.statusCode}, ${verdict}: ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${String(payload).slice(0, 500)} -> ${answer.statusCode >= 500 ? causeOf(answer.body) : answer.body.slice(0, 300)}`,
        );
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBe(Object.keys(doors).length * casesOfCall);

  const tokens = [...people.values()].flatMap(({ token }) => token ?? []);
  const telling = lines.filter((line) => [hush, cardNumber, "$argon2", ...tokens].some((secret) => line.includes(secret)));
  expect(telling.slice(0, 5)).toEqual([]);
  // One address leaves at most 600 lines a minute.
  expect(lines.length).toBeGreaterThan(600);
});

test.each([
  ["a NUL character", { planId: "pro\u0000" }, "planId"],
  ["half a character", { planId: "pro\ud800" }, "planId"],
  ["a key that cannot be stored", { planId: "pro-1-monthly", "a\u0000": 1 }, ""],
  ["a nested NUL character", { planId: "pro-1-monthly", a: [{ b: "\u0000" }] }, "a.0.b"],
])("%s in a body is refused and named", async (_what, body, path) => {
  const { token } = await personOf("newcomer");
  await forgetCalls(api);
  const answer = await api.call("POST", "/api/account/complete-checkout", { token, body });
  expect(answer.json()).toMatchObject({ status: 422, code: "validation_failed", errors: [{ path, code: "value.invalid" }] });
});

test("a NUL character in an address is refused and named", async () => {
  const answer = await api.call("GET", "/api/v1/paddle/plan/a%00b");
  expect(answer.json()).toMatchObject({ status: 422, code: "validation_failed", errors: [{ path: "id" }] });
});

test.each(["/api/v1/paddle/plan/%", "/api/v1/paddle/plan/%ff", `/api/v1/paddle/plan/${"a".repeat(201)}`, "/%"])(
  "the address %s, which has no route, is answered with a problem",
  async (path) => {
    const answer = await api.call("GET", path);
    expect(answer.headers).toMatchObject({
      "content-type": expect.stringContaining("application/problem+json"),
      "x-content-type-options": "nosniff",
    });
    expect(answer.json()).toMatchObject({ status: 400, code: "bad_request", requestId: answer.headers["x-request-id"] });
  },
);

test("the token of a download is not logged", async () => {
  const from = lines.length;
  await api.call("GET", "/api/export/download/a-token-of-a-download-link");
  const said = lines.slice(from).join("");
  expect(said).toContain("/api/export/download/:token");
  expect(said).not.toContain("a-token-of-a-download-link");
});
