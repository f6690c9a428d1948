import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts, workspaces } from "#database/tables.ts";
import { createLog } from "#platform/log.ts";
import { ask } from "#testing/ask.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { serveAsks } from "./serve-asks.ts";

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

test("a host name is ours from the launch of its workspace until the workspace is deleted, also while it is stopped", async () => {
  const { db } = api.database;
  const at = { host: "127.0.0.1", port: await findFreePort(), perWeek: 40 };
  const served = await serveAsks({ config: { panelHost: "app.example.com" }, db, log: createLog("silent"), metrics: null }, at);
  const { token, form } = await registerConfirmed(api);
  const name = String(form.accountName);
  const status = async () => (await ask(`http://127.0.0.1:${at.port}/ask?domain=${name}.app.example.com`)).status;
  expect(await status()).toBe(404);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  expect(await status()).toBe(200);
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
  const want = (desiredState: "stopped" | "deleted") =>
    db.update(workspaces).set({ desiredState }).where(eq(workspaces.accountId, account!.id));
  await want("stopped");
  expect(await status()).toBe(200);
  await want("deleted");
  expect(await status()).toBe(404);
  await served.close();
});
