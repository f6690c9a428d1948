/** The reference of the API's calls at `/api/docs`, in a browser: its places, its languages, its examples, and the calls it sends. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { AppError } from "#platform/app-error.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";

const phone = { width: 390, height: 844 };
const scene = createPanelScene();

const open = (page: Page, anchor = "") => page.goto(`${scene.panel.url}/api/docs${anchor}`);

test("the API's reference opens as the README links it, in both themes, and on a phone", async () => {
  const page = await scene.pageOf(scene.panel.signIn());
  await open(page);
  await page.getByRole("heading", { level: 1 }).getByText("Slipway API").waitFor();
  await page.getByText("/api/auth/login", { exact: true }).click();
  await page.getByRole("link", { name: "invalid_credentials" }).first().click();
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#invalid_credentials");
  await page.setViewportSize(phone);
  // The sections are one line that stays in view and is swiped.
  const sections = page.getByRole("navigation", { name: "Sections" });
  await expect.poll(async () => (await sections.boundingBox())?.height).toBeLessThan(60);
  await sections.getByRole("link", { name: "Error codes" }).click();
  await expect.poll(async () => (await sections.boundingBox())?.y).toBe(57);
  await expectAccessible(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});

test("the reference speaks German to a German reader, shows this panel's address in its examples, and copies them as text", async () => {
  const reader = await scene.pageOf(undefined, { locale: "de-DE", size: phone });
  await reader.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: scene.panel.url });
  await open(reader);
  await reader.getByRole("heading", { name: "Erster Aufruf" }).waitFor();
  const example = reader.locator("#first-call .curl .sample");
  await expect.poll(() => example.locator("pre").textContent()).toContain(`SLIPWAY=${scene.panel.url}\n`);
  await example.getByRole("button", { name: "Kopieren" }).click();
  await example.getByRole("button", { name: "Kopiert" }).waitFor();
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(await example.locator("pre").textContent());
  await expect.poll(() => reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(reader);
});

test("the reference finds a call and sends it with the reader's own session, and one that changes something only after a tick", async () => {
  const owner = scene.panel.signIn();
  owner.answers.endSession = () => Promise.reject(new AppError("not_found"));
  // The browser logs the refused call as an error.
  const reader = await scene.pageOf(owner, { hasTrouble: true });
  await open(reader, "#get-api-auth-me");
  const me = reader.locator("#get-api-auth-me");
  await me.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => me.getByRole("status").textContent()).toMatch(/^200 after \d+ ms.*"email"/s);
  await reader.getByLabel("Find a call").fill("sessions delete");
  await expect.poll(() => reader.locator("details:visible").count()).toBe(2);
  const end = reader.locator("#delete-api-auth-sessions-id-");
  const id = "0b0a4ad2-64c1-4f0e-9d5b-0c6a3b0f6f11";
  await end.locator("summary").click();
  await end.getByLabel("id (path)").fill(id);
  await end.getByRole("button", { name: "Send" }).click();
  expect(await end.getByRole("status").textContent()).toBe("");
  expect(owner.sent("endSession")).toEqual([]);
  await end.getByRole("checkbox").check();
  await end.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => end.getByRole("status").textContent()).toMatch(/^404 after/);
  expect(owner.calls.filter(({ name }) => name === "endSession").map(({ params }) => params)).toEqual([{ id }]);
  await expectAccessible(reader);
});
