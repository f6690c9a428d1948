/** The panel of a suspended account: the page in place of its dashboard, what stays open, and what leads there. */
import { beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";

const scene = createPanelScene();
const reason = "Your workspace sends unsolicited mail.";
let owner: PanelPerson;

beforeEach(() => {
  owner = scene.panel.signIn();
  owner.state.config.supportEmail = "help@example.com";
  const { account } = owner.state.user;
  account.instance = buildInstance({ status: instanceStatus.stopped });
  account.suspension = { since: "2026-11-27T10:00:00Z", until: "2026-12-11T23:59:59Z", reason };
});

test.each(["/", "/dashboard", "/account/change-plan", "/invite-teammate", "/open"])("%s leads to the reason", async (path) => {
  const page = await scene.pageOf(owner);
  await page.goto(scene.panel.url + path);
  await page.waitForURL("**/account/suspended");
  await page.getByText(reason).waitFor();
});

test("the page says why, until when, whom to write to, and leads to the data", async () => {
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/suspended`);
  await page.getByRole("heading", { level: 1, name: "Your account is suspended" }).waitFor();
  await page.getByText(reason).waitFor();
  await page.getByText(/Dec 1[12], 2026/).waitFor();
  const contact = page.getByRole("link", { name: "Write to support" });
  expect(await contact.getAttribute("href")).toMatch(/^mailto:help@example\.com\?subject=Suspended%20account%20/);
  await page.getByText(/help@example\.com, with the name of your account/).waitFor();
  // Not repeated by the notice that all other pages have.
  expect(await page.getByRole("region", { name: "Notices" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Upgrade plan" }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Make backups and download them" }).click();
  await page.waitForURL("**/manage/backups");
  const notice = page.getByRole("region", { name: "Notices" });
  await notice.getByText("Your account is suspended").waitFor();
  await notice.getByRole("link", { name: "Show the reason" }).click();
  await page.waitForURL("**/account/suspended");
});

test("in German, and without an end", async () => {
  owner.state.user.profile.language = "de";
  owner.state.user.account.suspension = { since: "2026-11-27T10:00:00Z", until: null, reason };
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/dashboard`);
  await page.getByRole("heading", { level: 1, name: "Ihr Konto ist gesperrt" }).waitFor();
  await page.getByText("Bis wir die Sperre aufheben").waitFor();
});

test("an account that is not suspended has no such page", async () => {
  owner.state.user.account.suspension = null;
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/suspended`);
  await page.waitForURL("**/dashboard");
});
