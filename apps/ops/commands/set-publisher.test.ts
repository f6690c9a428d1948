import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import type { OpsContext } from "../command.ts";
import { setPublisher } from "./set-publisher.ts";
import { untilAnsweredOrWaiting } from "#testing/database/held-lock.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api?.[Symbol.asyncDispose]());

const run = (login: unknown, undo = false) =>
  setPublisher.run({ db: api.services.db, clock: api.clock, operator: "ada", print: () => undefined } as unknown as OpsContext, {
    arguments: [String(login)],
    options: { undo },
  });
type Person = Awaited<ReturnType<typeof registerConfirmed>>;
const logIn = ({ form }: { form: Record<string, unknown> }) =>
  api.call("POST", "/api/auth/login", { body: { login: form["email"], password: form["password"] } });

test("a publisher is signed out, informed at sign-in, and a member again with --undo; all of it is on record", async () => {
  const person = await registerConfirmed(api);
  await run(person.form["email"]);
  expect((await api.call("GET", "/api/auth/me", { token: person.token })).json()).toMatchObject({ code: "session_expired" });
  expect((await logIn(person)).json()).toMatchObject({ status: 403, code: "publisher_account" });
  await run(person.form["accountName"], true);
  expect((await logIn(person)).statusCode).toBe(200);
  const { rows } = await api.database.pool.query("select before, after from audit_log where action = 'person.kind-changed' order by id");
  expect(rows).toEqual([
    { before: { kind: "member" }, after: { kind: "publisher", operator: "ada" } },
    { before: { kind: "publisher" }, after: { kind: "member", operator: "ada" } },
  ]);
});

test("an account with a workspace and an unknown account are refused", async () => {
  const owner = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token: owner.token, body: { timezone: "Etc/UTC" } });
  await expect(run(owner.form["email"])).rejects.toThrow("has a workspace");
  expect((await logIn(owner)).statusCode).toBe(200);
  await expect(run("nobody")).rejects.toThrow("No account has");
});

test.each([
  ["a sign-in", (person: Person) => logIn(person), "publisher_account"],
  ["a launch", ({ token }: Person) => api.call("POST", "/api/account/setup", { token, body: {} }), "session_expired"],
] as const)("of %s at the same moment nothing is left", async (_title, ask, code) => {
  const person = await registerConfirmed(api);
  const operator = await api.database.pool.connect();
  await operator.query("begin");
  const made = await operator.query("update users set kind = 'publisher' where email = $1 returning id", [person.form["email"]]);
  await operator.query("delete from sessions where user_id = $1", [made.rows[0].id]);
  const asked = ask(person);
  await untilAnsweredOrWaiting(api.database.pool, asked);
  await operator.query("commit");
  operator.release();
  expect((await asked).json()).toMatchObject({ code });
});
