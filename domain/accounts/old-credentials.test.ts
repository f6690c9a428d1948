import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const count = async (table: string) => (await api.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number;

test("expired credentials are deleted, and nothing else", async () => {
  const { token } = await registerSomebody(api);
  await api.call("POST", "/api/auth/login", { body: { login: "nobody", password: "x" } });
  await deleteOldRows(api.services.db, api.clock.now());
  expect([await count("sessions"), await count("link_tokens"), await count("attempts")]).toEqual([1, 1, 2]);
  api.clock.advance(dayMs + hourMs);
  await deleteOldRows(api.services.db, api.clock.now());
  expect([await count("sessions"), await count("link_tokens"), await count("attempts")]).toEqual([1, 1, 0]);
  expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(200);
  api.clock.advance(30 * dayMs);
  await deleteOldRows(api.services.db, api.clock.now());
  expect([await count("sessions"), await count("link_tokens")]).toEqual([0, 0]);
});
