/** The panel's commands by keyboard alone: the palette, and the shortcuts. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { workspaceOf } from "#testing/panel/panel-answers.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";

const phone = { width: 390, height: 844 };
const scene = createPanelScene();
let owner: PanelPerson;
let page: Page;

beforeEach(async () => {
  owner = scene.panel.signIn();
  page = await scene.pageOf(owner, { reducedMotion: "reduce" });
});

const open = (path: string) => page.goto(scene.panel.url + path);
const headline = () => page.getByRole("heading", { level: 1 });
const palette = () => page.getByRole("dialog", { name: "Search and commands" });

test("the palette opens by keyboard, matches scattered letters, and opens a page with the focus on it", async () => {
  await open("/dashboard");
  await headline().waitFor();
  await page.keyboard.press("Control+k");
  const search = palette().getByRole("combobox", { name: "Search pages, actions and help" });
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  for (const action of ["Open workspace", "Restart workspace", "Back up now", "Copy workspace URL", "Change plan", "Sign out"])
    await palette().getByRole("option", { name: action, exact: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.type("mmbrs");
  await expect.poll(() => palette().getByRole("option", { selected: true }).innerText()).toBe("Members\nG T");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/manage/members");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.keyboard.press("Control+k");
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type("no such thing");
  await palette().getByRole("status").getByText("Nothing matches “no such thing”").waitFor();
  await closeByEscape(palette());
});

test("Enter opens what was typed, however late the list follows", async () => {
  await open("/dashboard");
  await headline().waitFor();
  await page.keyboard.press("Control+k");
  const search = palette().getByRole("combobox");
  await palette().getByRole("option", { name: "Open workspace", exact: true }).waitFor();
  // Both events come in one task, before the list can be drawn again.
  await search.evaluate(async (field: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, "mmbrs");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await Promise.resolve();
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  await page.waitForURL("**/manage/members");
});

test("what arrives late does not move the selection", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  owner.answers.getInstance = async (_asked, state) => {
    await held;
    return workspaceOf(state);
  };
  await page.clock.install();
  await open("/help");
  await headline().waitFor();
  // Until then the workspace is what the user's own answer said.
  await page.clock.fastForward(6_000);
  await page.keyboard.press("Control+k");
  const selected = palette().getByRole("option", { selected: true });
  await expect.poll(() => selected.innerText()).toContain("Invite teammates");
  goOn();
  await palette().getByRole("option", { name: "Open workspace", exact: true }).waitFor();
  expect(await selected.innerText()).toContain("Invite teammates");
  await closeByEscape(palette());
});

test("its actions act: the URL is copied, a restart asks first, help opens at the answer, versions and members are found", async () => {
  const choose = async (query: string, name: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await palette().getByRole("combobox").fill(query);
    await palette().getByRole("option", { name, selected: true }).waitFor();
    await page.keyboard.press("Enter");
  };
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open("/dashboard");
  await headline().waitFor();
  await choose("copy", "Copy workspace URL");
  await page.getByText("URL copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(workspaceOf(owner.state).address);
  await choose("restart", "Restart workspace");
  const asked = page.getByRole("alertdialog", { name: "Restart the workspace?" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await choose("ada", "Ada Lovelace");
  await page.waitForURL("**/manage/members");
  await choose("version", /^Version \d/);
  await page.waitForURL("**/manage/versions");
  await choose("invoices", "Where are my invoices?");
  await page.waitForURL("**/help/invoices");
  expect(owner.sent("restartInstance")).toEqual([]);
});

test("shortcuts lead everywhere, ? lists them, they stay quiet while typing, and single keys can be switched off", async () => {
  await open("/dashboard");
  await headline().waitFor();
  // The second key counts for a second and a half, which may pass between the two on a busy machine.
  const goToHelp = async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    return new URL(page.url()).pathname;
  };
  await expect.poll(goToHelp).toBe("/help");
  await page.getByRole("searchbox").or(page.getByLabel("Search the answers")).first().fill("");
  await page.keyboard.type("gd?");
  expect(new URL(page.url()).pathname).toBe("/help");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await headline().click();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("Dashboard").waitFor();
  await expectAccessible(page);
  await sheet.getByLabel("Use single-key shortcuts").uncheck();
  await closeByEscape(sheet);
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await palette().waitFor();
  expect(await sheet.count()).toBe(0);
});

test("on a phone the header's button opens the palette, which fits", async () => {
  await page.setViewportSize(phone);
  await open("/dashboard");
  await page.getByRole("button", { name: "Search and commands" }).click();
  await palette().getByRole("option", { name: "Dark theme" }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
});
