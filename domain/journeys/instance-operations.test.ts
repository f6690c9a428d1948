/** The operator's switch: while it is off, workspaces cannot be changed, and everything else keeps working. */
import { expect, onTestFinished, test } from "vitest";
import { createTestApi, registerConfirmed } from "#testing/test-api.ts";

async function switchedOff() {
  const api = await createTestApi({ instanceOperations: false });
  onTestFinished(() => api[Symbol.asyncDispose]());
  return api;
}

test("while workspaces cannot be changed, the panel is told so", async () => {
  const api = await switchedOff();
  expect((await api.call("GET", "/api/fe/config")).json()).toMatchObject({ instanceOperations: false, supportEmail: "help@s.example" });
});

test.each([
  ["setting up", "POST", "/api/account/setup", { timezone: "Etc/UTC" }],
  ["restarting", "PUT", "/api/instance/restart", undefined],
  ["changing settings", "PUT", "/api/instance/configuration", { timezone: "Etc/UTC" }],
  ["deleting", "POST", "/api/instance/delete", { accountName: "any" }],
  ["making a new workspace", "POST", "/api/instance", { timezone: "Etc/UTC" }],
] as const)(
  "while workspaces are not to be changed, %s is refused with 503 and leaves nothing behind",
  async (_what, method, path, body) => {
    const api = await switchedOff();
    const { token } = await registerConfirmed(api);
    expect((await api.call(method, path, { token, body })).json()).toMatchObject({ status: 503, code: "instance_operations_off" });
    const { user } = (await api.call("GET", "/api/auth/me", { token })).json() as { user: { account: Record<string, unknown> } };
    expect(user.account).toMatchObject({ isSetup: false, instance: null, planSpec: null });
  },
);

test("with the switch on, both calls work again", async () => {
  const api = await createTestApi();
  onTestFinished(() => api[Symbol.asyncDispose]());
  const { token } = await registerConfirmed(api);
  expect((await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } })).statusCode).toBe(202);
  expect((await api.call("PUT", "/api/instance/restart", { token })).statusCode).toBe(202);
});
