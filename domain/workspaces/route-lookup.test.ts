import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts, subscriptions } from "#database/tables.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { prepareRouteLookup } from "./workspace-store.ts";

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

test("the gateway gets the state of the subscription, so that it can say why a workspace is closed", async () => {
  const { db } = api.database;
  const lookUp = prepareRouteLookup(db);
  const { token, form } = await registerConfirmed(api);
  const name = String(form.accountName);
  expect(await lookUp(name)).toBeNull();
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  expect(await lookUp(name)).toMatchObject({ subscription: "trialing", isTrial: true });
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
  const set = (status: "paused" | "deleted", specId: string) =>
    db.update(subscriptions).set({ status, specId }).where(eq(subscriptions.accountId, account!.id));
  await set("paused", "pro-1");
  expect(await lookUp(name)).toMatchObject({ subscription: "paused", isTrial: false });
  await set("deleted", "pro-1");
  expect(await lookUp(name)).toMatchObject({ subscription: "deleted", isTrial: false });
});
