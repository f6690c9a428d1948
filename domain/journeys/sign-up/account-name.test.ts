import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const ask = (name: string, address?: string) =>
  api.call("GET", `/api/auth/account-name/${encodeURIComponent(name)}`, address ? { address } : {});

test("a name is free until an account has it", async () => {
  expect((await ask("acme")).json()).toEqual({ available: true });
  await registerSomebody(api, { accountName: "acme" });
  expect((await ask("acme")).json()).toEqual({ available: false });
});

test("a reserved name is not free", async () => {
  expect((await ask("admin")).json()).toEqual({ available: false });
});

test.each(["ab", "Acme", "a_b", "9lives", "../me", "a".repeat(26)])("%s is no name and is refused by the rule", async (name) => {
  expect((await ask(name)).json()).toMatchObject({ status: 422, errors: [{ path: "name" }] });
});

test("a script that enumerates names is slowed down", async () => {
  const codes = [];
  for (let call = 0; call < 61; call += 1) codes.push((await ask(`acme-${call}`, "10.9.9.9")).statusCode);
  expect(codes.filter((code) => code === 429)).toHaveLength(1);
});
