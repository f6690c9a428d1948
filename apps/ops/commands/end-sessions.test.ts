import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import type { OpsContext } from "../command.ts";
import { endSessions } from "./end-sessions.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api?.[Symbol.asyncDispose]());

const printed: string[] = [];
const run = (login: string) =>
  endSessions.run(
    { db: api.services.db, clock: api.clock, operator: "ada", print: (line: string) => void printed.push(line) } as unknown as OpsContext,
    { arguments: [login], options: {} },
  );

test("only this customer is signed out everywhere, and the audit log names the operator", async () => {
  const [customer, other] = [await registerConfirmed(api), await registerConfirmed(api)];
  const { token: second } = (
    await api.call("POST", "/api/auth/login", { body: { login: customer.form["email"], password: customer.form["password"] } })
  ).json() as { token: string };
  await run(String(customer.form["email"]).toUpperCase());
  for (const token of [customer.token, second])
    expect((await api.call("GET", "/api/auth/me", { token })).json()).toMatchObject({ code: "session_expired" });
  expect((await api.call("GET", "/api/auth/me", { token: other.token })).statusCode).toBe(200);
  expect(printed.at(-1)).toContain("signed out of 2 sessions");
  const { rows } = await api.database.pool.query("select after, before from audit_log where action = 'sessions.ended'");
  expect(rows).toEqual([{ before: { sessions: 2 }, after: { operator: "ada" } }]);
  await expect(run("nobody")).rejects.toThrow("No account has");
});
