import { expect, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { storedValues } from "../browser/stored-value.ts";
import { cachedUsername, followUsername } from "./cached-username.ts";
import { endSession, rememberUser } from "./session.ts";

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
} as unknown as Storage;

test("the last user name is kept after an expired session, and forgotten after signing out", () => {
  const values = storedValues(
    () => storage,
    () => expect.unreachable(),
  );
  followUsername(values);
  expect(cachedUsername(values)).toBe("");
  rememberUser({ id: "1", username: "ada" } as unknown as User);
  expect([...stored]).toEqual([["slipway.cached-username", "ada"]]);
  endSession("expired");
  expect(cachedUsername(values)).toBe("ada");
  rememberUser({ id: "2", username: "bob" } as unknown as User);
  expect(cachedUsername(values)).toBe("bob");
  endSession("signed-out");
  expect([cachedUsername(values), stored.size]).toEqual(["", 0]);
});
