/** What an owner does in the panel on the way from a visitor to a paying customer: the steps that each engine's story has in common. */
import type { ReleaseChannel } from "#contract/workspaces/workspace-values.ts";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible } from "./expect-accessible.ts";
import { readZip } from "../content/read-zip.ts";

/** A workspace boots in 10 s on a quiet machine, in a minute on a busy one; an update starts two. */
export const bootTimeoutMs = 240_000;

export interface Visitor {
  accountName: string;
  email: string;
  password: string;
}

/** From the first page to the setup of the workspace, where the mailed link leads. The panel is at `url`. */
export async function signUp(page: Page, url: string, { accountName, email, password }: Visitor): Promise<void> {
  await page.goto(url);
  await page.waitForURL("**/login");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.waitForURL("**/register");
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("Account name").fill(accountName);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Confirm email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("I am human").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create account" }).click();
  // The address changes before the page: until its heading appears, the button is still the previous step's.
  for (const [step, heading] of [
    ["account/survey", "Tell us about you"],
    ["account/apps", "Which apps do you want to connect?"],
    ["invite-teammate", "Invite teammates"],
  ] as const) {
    await page.waitForURL(`**/${step}`);
    await page.getByRole("heading", { name: heading }).waitFor();
    await page.getByRole("button", { name: "Skip", exact: true }).click();
  }
  await page.waitForURL("**/verify-email");
  await page.getByText(email).first().waitFor();
  await expectAccessible(page);

  // The confirmation mail is in the development inbox, and opening its link lets the waiting page continue.
  const inbox = await page.context().newPage();
  await inbox.goto(`${url}/dev/inbox`);
  await inbox.getByRole("list", { name: "Messages" }).getByText(email).click();
  await expectAccessible(inbox);
  await inbox.getByRole("list", { name: "Links in this message" }).getByRole("link").first().click();
  await inbox.waitForURL(/account\/setup|confirm-email/);
  await page.waitForURL("**/account/setup");
  await inbox.close();
}

/** Launches a workspace of this version, and watches it until it is online. */
export async function launch(page: Page, version: string): Promise<void> {
  await expectAccessible(page);
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByLabel(/version$/).selectOption(version);
  await page.getByRole("button", { name: "Launch workspace" }).click();
  await page.waitForURL("**/account/launching");
  await page.getByRole("progressbar", { name: "Launch progress" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("heading", { name: "Your workspace is now online." }).waitFor({ timeout: bootTimeoutMs });
  await expectAccessible(page);
}

/** Opens the workspace in a page of its own. */
export async function openWorkspace(page: Page): Promise<Page> {
  const [editor] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("button", { name: "Open workspace" }).click()]);
  return editor;
}

/** Pays for Starter from Germany, with a card of the sandbox that the bank confirms. */
export async function payForStarter(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/account/change-plan?plan=starter-monthly`);
  await page.getByRole("button", { name: "Add payment details" }).click();
  await page.waitForURL("**/sandbox/checkout/**");
  await page.getByRole("button", { name: /3-D Secure, first payment/ }).click();
  await expect.poll(() => page.getByLabel("Card number").inputValue()).not.toBe("");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
  await page.getByLabel("Country").selectOption("DE");
  // With German tax: sooner, the service would show the new sum first instead of taking it.
  await page.getByRole("button", { name: "Pay $28.56 USD" }).click();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/account/checkout?**");
  await page.getByRole("heading", { name: "Welcome to Starter" }).waitFor();
  await page.getByRole("link", { name: "Go to billing" }).click();
  await page.getByRole("region", { name: "Payment method" }).getByText("Visa •••• 3155").waitFor();
  await expectAccessible(page);
}

/** Updates the workspace, from this channel on, and watches until it runs the version. */
export async function updateTo(page: Page, url: string, version: string, channel: ReleaseChannel = "stable"): Promise<void> {
  await page.goto(`${url}/manage/versions`);
  await page.getByLabel("Release channel").selectOption(channel);
  await page.getByRole("radio", { name: version }).check();
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Save and restart" }).click();
  await page
    .getByRole("region", { name: "Last update" })
    .getByText(new RegExp(`to ${version.replaceAll(".", "\\.")}, on `))
    .waitFor({ timeout: bootTimeoutMs });
  await expectAccessible(page);
}

/** Exports the workflows and downloads them; resolves with the files of the zip, by name. */
export async function exportWorkflows(page: Page, url: string): Promise<Map<string, Buffer>> {
  await page.goto(`${url}/manage/export`);
  const form = page.getByRole("region", { name: "Export workflows" });
  await form.getByRole("button", { name: "Export" }).click();
  await form.getByText("Ready").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), form.getByRole("button", { name: /^Download/ }).click()]);
  await expectAccessible(page);
  return readZip(await readFile(await download.path()));
}
