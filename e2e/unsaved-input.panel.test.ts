/** Input that is not saved: what the profile says of it, and what leaving the page or signing out asks. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { AppError } from "#platform/app-error.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createPanelScene, type Opened } from "#testing/panel/panel-scene.ts";
import { changeProfile, profileAnswers } from "#testing/panel/profile-answers.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";

const scene = createPanelScene();
let owner: PanelPerson;

beforeEach(() => {
  owner = scene.panel.signIn();
  owner.answers = { ...profileAnswers };
});

const open = (page: Page, path: string) => page.goto(scene.panel.url + path);
const headline = (page: Page) => page.getByRole("heading", { level: 1 });

test("the profile says what is not saved, discards it, and asks before leaving it", async () => {
  const page = await scene.pageOf(owner);
  await open(page, "/account/profile");
  const [save, name] = [page.getByRole("button", { name: "Save profile" }), page.getByLabel("Full name")];
  const before = await name.inputValue();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await name.fill("Ada King");
  await page.getByText("1 unsaved change").waitFor();
  await expect.poll(() => save.isDisabled()).toBe(false);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Notifications" }).click();
  await page.getByText("Leave without saving?").waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await page.getByText("Leave without saving?").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByText("All changes saved").waitFor();
  expect(await name.inputValue()).toBe(before);
  expect(owner.sent("changeProfile")).toEqual([]);
  await name.fill("Ada King");
  await save.click();
  await page.getByText("Profile saved.").waitFor();
  await page.getByText("All changes saved").waitFor();
  await page.getByRole("link", { name: "Notifications" }).click();
  await headline(page).getByText("Notifications").waitFor();
  expect(owner.sent("changeProfile")).toMatchObject([{ fullName: "Ada King" }]);
});

/** A page with the profile, whose saves wait until they are let through. */
async function openProfile(opened?: Opened) {
  const its = await scene.pageOf(owner, opened);
  const held: (() => void)[] = [];
  let answer: "continue" | "abort" = "continue";
  await its.route("**/api/account/profile", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route[answer]();
  });
  await open(its, "/account/profile");
  return {
    its,
    name: its.getByLabel("Full name"),
    save: async () => {
      await its.getByRole("button", { name: "Save profile" }).click();
      await expect.poll(() => held.length).toBe(1);
    },
    letThrough: (how: typeof answer) => {
      answer = how;
      held.shift()?.();
    },
    question: its.getByRole("alertdialog", { name: "Leave without saving?" }),
    kept: () => owner.state.user.fullName,
  };
}

test("what is typed while the profile is being saved stays, unsaved", async () => {
  const { its, name, save, letThrough, kept } = await openProfile();
  await name.fill("Ada K");
  await save();
  await name.fill("Ada King");
  letThrough("continue");
  await its.getByText("Profile saved.").waitFor();
  await its.getByText("1 unsaved change").waitFor();
  expect(await name.inputValue()).toBe("Ada King");
  await expect.poll(() => its.getByText("Your profile has changed").count()).toBe(0);
  await save();
  letThrough("continue");
  await its.getByText("All changes saved").waitFor();
  expect(kept()).toBe("Ada King");
  expect(owner.sent("changeProfile")).toMatchObject([{ fullName: "Ada K" }, { fullName: "Ada King" }]);
});

test("undoing a saved profile does not overwrite what was saved elsewhere since, and says so", async () => {
  // The browser logs the refused call as an error.
  const its = await scene.pageOf(owner, { hasTrouble: true });
  await open(its, "/account/profile");
  const [name, save] = [its.getByLabel("Full name"), its.getByRole("button", { name: "Save profile" })];
  const before = await name.inputValue();
  await name.fill("Ada King");
  await save.click();
  await its.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => name.inputValue()).toBe(before);
  await name.fill("Ada King");
  await save.click();
  await its.getByText("All changes saved").waitFor();
  changeProfile(owner.state, { fullName: "Ada Byron" });
  await its.getByRole("button", { name: "Undo" }).click();
  await its.getByText(/^This could not be undone\. It was changed in another tab/).waitFor();
  await expect.poll(() => name.inputValue()).toBe("Ada Byron");
  expect(owner.state.user.fullName).toBe("Ada Byron");
});

test("leaving while the profile is being saved asks, keeps the input if that fails, and continues once it is saved", async () => {
  const { its, name, save, letThrough, question, kept } = await openProfile({ hasTrouble: true });
  await name.fill("Ada King");
  await save();
  const help = its.getByRole("link", { name: "Help" }).first();
  await help.click();
  await question.waitFor();
  letThrough("abort");
  await question.getByRole("button", { name: "Stay" }).click();
  await its.getByText("The profile could not be saved").waitFor();
  expect(await name.inputValue()).toBe("Ada King");
  await save();
  await help.click();
  await question.waitFor();
  letThrough("continue");
  await its.waitForURL("**/help");
  await question.waitFor({ state: "detached" });
  expect(kept()).toBe("Ada King");
});

test("signing out with unsaved changes asks first, from the header and from the palette", async () => {
  const { its, name } = await openProfile();
  const question = its.getByRole("alertdialog", { name: "Sign out without saving?" });
  await name.fill("Ada King");
  const signOut = its.getByRole("button", { name: "Sign out" });
  await signOut.click();
  await question.getByText("Not saved yet: profile.", { exact: false }).waitFor();
  await expectAccessible(its);
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await question.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Ada King");
  await its.keyboard.press("ControlOrMeta+k");
  await its.getByRole("dialog", { name: "Search and commands" }).getByRole("combobox").fill("Sign out");
  await its.keyboard.press("Enter");
  await closeByEscape(question);
  expect(await name.inputValue()).toBe("Ada King");
  expect(owner.sent("logOut")).toHaveLength(0);
  await signOut.click();
  await question.getByRole("button", { name: "Discard and sign out" }).click();
  await its.waitForURL("**/login");
  await its.getByText("Logout succeeded").waitFor();
  expect(owner.sent("logOut")).toHaveLength(1);
});

test("signing out asks about input that was left on other pages; signing out in another tab keeps it until its user is back", async () => {
  const { panel } = scene;
  const { email } = owner.state.user;
  const password = "correct horse battery";
  // The same user in a second session.
  const again = panel.signIn({ user: owner.state.user });
  panel.visitor.answers.logIn = ({ body }) => {
    if (body.login !== email || body.password !== password) throw new AppError("invalid_credentials");
    return { token: again.token, user: again.state.user };
  };
  // The browser logs the calls of the session that has ended as errors.
  const its = await scene.pageOf(owner, { hasTrouble: true });
  const invited = its.getByLabel("Email addresses");
  const question = its.getByRole("alertdialog", { name: "Sign out without saving?" });
  await open(its, "/account/security?account=change-email");
  await its.getByLabel("New email").fill("ada.king@example.com");
  await open(its, "/manage/members");
  await invited.fill("bob@example.com");
  await open(its, "/help");
  const signOut = its.getByRole("button", { name: "Sign out" });
  await signOut.click();
  await question.getByText(/^Not saved yet: .*invitations.*\. Signing out discards what you entered\.$/).waitFor();
  await question.getByText("new email address", { exact: false }).waitFor();
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await question.waitFor({ state: "detached" });
  await open(its, "/manage/members");
  await expect.poll(() => invited.inputValue()).toBe("bob@example.com");

  await signOut.click();
  await question.waitFor();

  // This tab has nothing unsaved, and asks nothing. The question in the other one ends with the session.
  const other = await its.context().newPage();
  await open(other, "/dashboard");
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL("**/login");
  await its.waitForURL("**/login?**");
  await its.getByText("You were signed out in another tab. What you entered here is kept", { exact: false }).waitFor();
  await question.waitFor({ state: "detached" });
  await its.getByLabel("Account name or email").fill(email);
  await its.getByLabel("Password", { exact: true }).fill(password);
  await its.getByRole("button", { name: "Sign in" }).click();
  await its.waitForURL("**/manage/members");
  await expect.poll(() => invited.inputValue()).toBe("bob@example.com");
  await open(its, "/manage");
  await its.getByLabel("Executions to keep").fill("500");
  await signOut.click();
  await question.getByText("settings", { exact: false }).waitFor();
  await question.getByRole("button", { name: "Discard and sign out" }).click();
  await its.waitForURL("**/login");
  await its.getByText("Logout succeeded").waitFor();
  expect(await its.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("slipway.draft.")))).toEqual([]);
  expect([owner.sent("logOut").length, again.sent("logOut").length]).toEqual([1, 1]);
});

test("signing out says that it failed if its question cannot be fetched, and asks after a reload", async () => {
  const { its, name } = await openProfile({ hasTrouble: true });
  // The dialog's chunk is recognized by its content, because its name changes with each build.
  await its.context().route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    await (/confirmLabel:\w+,cancelLabel:\w+,/.test(await answer.text()) ? route.abort() : route.fulfill({ response: answer }));
  });
  await its.reload();
  // Without this, the missing part would reload the page first.
  await its.evaluate(() => sessionStorage.setItem("slipway.reloaded-at", String(Date.now())));
  await name.fill("Ada King");
  const signOut = its.getByRole("button", { name: "Sign out" });
  await signOut.click();
  await its.getByText("You are still signed in because the service could not be reached.", { exact: false }).waitFor();
  await its.context().unrouteAll({ behavior: "wait" });
  // The browser keeps that it could not be fetched until the page is loaded again, which the button may do a minute later.
  await its.evaluate(() => sessionStorage.removeItem("slipway.reloaded-at"));
  await Promise.all([its.waitForEvent("load"), signOut.click()]);
  await its.getByText("1 unsaved change").waitFor();
  await signOut.click();
  await its.getByRole("alertdialog", { name: "Sign out without saving?" }).getByRole("button", { name: "Stay signed in" }).click();
  expect(await name.inputValue()).toBe("Ada King");
});
