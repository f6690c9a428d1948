/** Closing an account in the panel, what stands in the way, and the page of a closed account. */
import { beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { AppError } from "#platform/app-error.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";

const scene = createPanelScene();
let owner: PanelPerson;
const closing = { since: "2026-11-27T10:00:00Z", eraseAt: "2126-12-27T10:00:00Z", reason: null };

beforeEach(() => {
  owner = scene.panel.signIn();
  owner.state.user.account.instance = buildInstance({ status: instanceStatus.online });
});

test("the page says what is deleted when and what is kept, and closes the account once its name is typed", async () => {
  owner.answers.closeAccount = ({ body }, { user }) => {
    if (body.accountName !== user.username) throw new AppError("validation_failed");
    user.account.closing = closing;
    user.account.instance = null;
  };
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/profile`);
  await page.getByRole("link", { name: "Close account" }).click();
  await page.waitForURL("**/account/close");
  await page.getByText("For 30 days").waitFor();
  await page.getByText("Invoices, with the address on them, and payments are kept for as long as tax law requires").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("another");
  await dialog.getByRole("button", { name: "Close account" }).click();
  await expectAccessible(page);
  await dialog.getByRole("textbox").fill(owner.state.user.username);
  await dialog.getByRole("button", { name: "Close account" }).click();
  await page.getByRole("heading", { level: 1, name: "Your account is closed" }).waitFor();
  await expectAccessible(page);
});

test("what stands in the way is listed with its day, and there is no button", async () => {
  owner.answers.getClosing = () => ({
    blockers: [
      { kind: "subscription", until: "2027-01-05T09:00:00Z" },
      { kind: "invoice", until: null },
    ],
    days: 30,
  });
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/close`);
  await page.getByText(/cancelled and runs until Jan 5, 2027/).waitFor();
  await page.getByText("An invoice is not paid yet.").waitFor();
  expect(await page.getByRole("button", { name: "Close account" }).count()).toBe(0);
  await expectAccessible(page);
});

test.each(["/", "/dashboard", "/account/change-plan", "/invite-teammate", "/open"])("closed, %s leads to the way back", async (path) => {
  owner.state.user.account.closing = closing;
  const page = await scene.pageOf(owner);
  await page.goto(scene.panel.url + path);
  await page.waitForURL("**/account/close");
  await page.getByText("You can keep the account until").waitFor();
  expect(await page.getByRole("link", { name: "Upgrade plan" }).count()).toBe(0);
});

test("a closed account is kept with one click, and leads to its data until then", async () => {
  owner.state.user.account.closing = { ...closing, reason: "The company is gone." };
  owner.answers.reopenAccount = (_asked, { user }) => void (user.account.closing = null);
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/dashboard`);
  await page.getByText("The company is gone.").waitFor();
  expect(await page.getByRole("link", { name: "Download backups" }).getAttribute("href")).toBe("/manage/backups");
  await page.getByRole("button", { name: "Keep my account" }).click();
  await page.waitForURL("**/dashboard");
  await page.getByText("Your account is open again.").waitFor();
});

test("closed and suspended, the page names support and has no button that can only fail", async () => {
  owner.state.user.account.closing = closing;
  owner.state.user.account.suspension = { reason: "It sends spam.", since: closing.since, until: null };
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/close`);
  await page.getByText("The account is suspended, too: only support can reopen it.").waitFor();
  expect(await page.getByRole("button", { name: "Keep my account" }).count()).toBe(0);
  await expectAccessible(page);
});

test("a payment page that is over and not read yet stands in the way", async () => {
  owner.answers.getClosing = () => ({ blockers: [{ kind: "checkout", until: null }], days: 30 });
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/close`);
  await page.getByText("We don't know yet whether you paid at a payment page.").waitFor();
});

test("in German, and on the day on which it is too late", async () => {
  owner.state.user.profile.language = "de";
  owner.state.user.account.closing = { ...closing, eraseAt: "2026-01-01T00:00:00Z" };
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/dashboard`);
  await page.getByRole("heading", { level: 1, name: "Ihr Konto ist geschlossen" }).waitFor();
  await page.getByText("Es lässt sich nicht mehr öffnen").waitFor();
  expect(await page.getByRole("button", { name: "Konto behalten" }).count()).toBe(0);
});
