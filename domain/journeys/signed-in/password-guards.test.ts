/** The password that a signed-in user types again: what checking it costs others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findByLogin } from "#domain/accounts/account-store.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { newId } from "#platform/ids.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";
import { checkPassword } from "./password-guards.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

async function user() {
  const { form } = await registerSomebody(api);
  const { userId } = (await findByLogin(api.services.db, String(form.email)))!;
  const check = (sessionId: string, password: unknown) =>
    checkPassword(api.services, { userId, sessionId, openedBy: "password" }, String(password), "password").then(
      () => "right",
      ({ code }: { code: string }) => code,
    );
  return { form, check };
}

test("passwords that one user's sessions try at the same time keep no one else who signs in waiting", async () => {
  const { check } = await user();
  // Makes the hash that is compared for unknown accounts.
  await verifyPassword(null, "nobody's");
  let checked = 0;
  const tries = Array.from({ length: 60 }, async () => {
    const code = await check(newId(), "a guess");
    if (code === "wrong_password") checked += 1;
    return code;
  });
  await expect.poll(() => checked, { interval: 1, timeout: 60_000 }).toBeGreaterThan(0);
  const before = checked;
  await verifyPassword(null, "another user's");
  // One core hashes the one that was begun, and the next; several cores some more. Without turns it is all of them.
  expect(checked - before).toBeLessThan(6);
  const codes = new Set(await Promise.all(tries));
  expect([...codes].toSorted()).toEqual(["unavailable", "wrong_password"]);
});

test("a password that could not be checked, because too many were waiting, is no attempt", async () => {
  const { form, check } = await user();
  const crowd = Array.from({ length: 60 }, () => check(newId(), "a guess"));
  const session = newId();
  const tries = await Promise.all(Array.from({ length: 4 }, () => check(session, "a guess")));
  expect(tries).toContain("unavailable");
  await Promise.all(crowd);
  for (let left = tries.filter((code) => code === "unavailable").length; left > 0; left -= 1)
    expect(await check(session, "a guess")).toBe("wrong_password");
  expect(await check(session, form.password)).toBe("right");
});
