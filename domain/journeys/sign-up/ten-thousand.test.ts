/** Ten thousand registrations do not slow down the next one, as long as each of its queries finds its row by an index. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { altcha } from "#domain/challenges/altcha-challenge.ts";
import { createSecrets } from "#platform/secrets.ts";
import { solveChallenge } from "#testing/accounts/solve-challenge.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";
import { createTestClock } from "#testing/test-clock.ts";

const customers = 10_000;
const clock = createTestClock();
let api: TestApi;

beforeAll(async () => {
  const secrets = createSecrets("a key for tests, long enough to be one");
  api = await createTestApi({ clock, challenge: altcha({ secrets, clock, maxNumber: 5 }) });
  await api.database.pool.query(`
    insert into accounts (id, name, created_at) select md5('a' || n)::uuid, 'seed-' || n, now() from generate_series(1, ${customers}) n;
    insert into users (id, account_id, email, full_name, password_hash, created_at)
      select md5('u' || n)::uuid, md5('a' || n)::uuid, 'seed' || n || '@example.com', 'Seed', 'x', now() from generate_series(1, ${customers}) n;
    insert into sessions (token_hash, user_id, created_at, expires_at)
      select md5('s' || n) || md5('t' || n), md5('u' || n)::uuid, now(), now() + interval '30 days' from generate_series(1, ${customers}) n;
    insert into link_tokens (token_hash, purpose, user_id, email, created_at, expires_at)
      select md5('l' || n) || md5('m' || n), 'confirm-email', md5('u' || n)::uuid, 'seed' || n || '@example.com', now(), now() + interval '1 day' from generate_series(1, ${customers}) n;
    insert into used_challenges (hash, expires_at) select md5('c' || n), now() + interval '10 minutes' from generate_series(1, ${customers}) n;
  `);
  await api.database.pool.query("analyze");
});
afterAll(() => api[Symbol.asyncDispose]());

interface Statement {
  text: string;
  values: unknown[];
}

/** Every statement sent to the database during `run`. */
async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { Client } = await import("pg");
  const prototype = Client.prototype as { query: (...args: unknown[]) => unknown };
  const original = prototype["query"];
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [query, values] = args as [string | Partial<Statement> | undefined, unknown];
    const text = typeof query === "string" ? query : query?.text;
    if (text) seen.push({ text, values: Array.isArray(values) ? values : ((query as Partial<Statement>).values ?? []) });
    return original.apply(this, args);
  };
  try {
    await run();
  } finally {
    prototype.query = original;
  }
  return seen;
}

async function planOf({ text, values }: Statement): Promise<string> {
  const client = await api.database.pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query(`explain ${text}`, values);
    return rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("\n");
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("each query of a sign-up among ten thousand finds its row by an index", async () => {
  const form = buildRegistration({ challenge: await solveChallenge((await api.call("GET", "/api/auth/challenge")).json()) });
  const seen = await statementsOf(async () => {
    expect((await api.call("GET", `/api/auth/account-name/${String(form["accountName"])}`)).json()).toEqual({ available: true });
    const answer = await api.call("POST", "/api/auth/register", { body: form });
    expect(answer.statusCode).toBe(201);
    const { token } = answer.json() as { token: string };
    expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(200);
    const link = new URL(await api.newestLink(form["email"])).searchParams.get("token");
    expect((await api.call("POST", "/api/auth/confirm-email", { token, body: { token: link } })).statusCode).toBe(200);
    expect((await api.call("POST", "/api/auth/login", { body: { login: form["email"], password: form["password"] } })).statusCode).toBe(
      200,
    );
    expect(
      (await api.call("POST", "/api/auth/login", { body: { login: form["accountName"], password: form["password"] } })).statusCode,
    ).toBe(200);
  });
  const reading = seen.filter(({ text }) => /^(select|update|delete|insert|with)\b/i.test(text) && !/from "mails"/.test(text));
  expect(reading.length).toBeGreaterThan(12);
  for (const statement of reading) {
    const plan = await planOf(statement);
    expect(plan, `${statement.text}\n${plan}`).not.toMatch(/Seq Scan on (accounts|users|sessions|link_tokens|used_challenges)/);
  }
});
