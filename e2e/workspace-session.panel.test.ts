/** The panel with the session that n8n's editor opens: its links work, and everything else asks for the password and loses nothing. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { AppError } from "#platform/app-error.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";

const scene = createPanelScene();
const question = (page: Page) => page.getByRole("dialog", { name: "Enter your password" });

/** A customer on a trial who came from the editor. */
function fromTheEditor() {
  const person = scene.panel.signIn();
  person.openedBy = "workspace";
  person.answers.confirmPassword = ({ body }) => {
    if (body.password !== "correct horse battery") throw new AppError("wrong_password");
  };
  return person;
}

test("the pages that the editor links to open without a password; what they leave out is shown once it is typed", async () => {
  const person = fromTheEditor();
  // Nothing has been counted yet, which the browser logs as an error.
  const page = await scene.pageOf(person, { hasTrouble: true });
  const refused: string[] = [];
  page.on("response", (answer) => void (answer.status() === 403 && refused.push(new URL(answer.url()).pathname)));
  for (const [path, last] of [
    ["/dashboard", "getInstanceJournal"],
    ["/account/change-plan", "getSubscription"],
  ] as const) {
    person.calls = [];
    await page.goto(scene.panel.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => person.calls.map(({ name }) => name), { message: path }).toContain(last);
    expect([refused, await question(page).count()]).toEqual([[], 0]);
  }
  await page.goto(`${scene.panel.url}/manage`);
  const region = (name: string) => page.getByRole("region", { name, exact: true });
  await region("Status").getByText("Online", { exact: true }).waitFor();
  await region("General").getByText("All changes saved").waitFor();
  for (const name of ["Environment variables", "Community nodes"]) await region(name).getByText("Protected by your password").waitFor();
  expect(refused.toSorted()).toEqual(["/api/instance/community-nodes", "/api/instance/variables"]);
  expect(await question(page).count()).toBe(0);
  await expectAccessible(page);
  await region("Environment variables").getByRole("button", { name: "Enter password" }).press("Enter");
  await question(page).getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.keyboard.press("Enter");
  await region("Environment variables").getByText("No environment variables").waitFor();
  await region("Community nodes").getByText("Protected by your password").waitFor({ state: "detached" });
});

test("a page that shows more asks once, not again by itself, and continues where it was once the password is typed", async () => {
  const person = fromTheEditor();
  // The browser logs the refused calls as errors.
  const page = await scene.pageOf(person, { hasTrouble: true });
  await page.goto(`${scene.panel.url}/account/security`);
  await question(page).waitFor();
  await expectAccessible(page);
  await closeByEscape(question(page));
  await page.getByText("Enter it to continue.").first().waitFor();
  // Pages read again when they come back into view.
  const again = page.waitForResponse((answer) => answer.status() === 403);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await again;
  expect([person.sent("listSessions"), await question(page).count()]).toEqual([[], 0]);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await question(page).getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.keyboard.press("Enter");
  await expect.poll(() => question(page).count()).toBe(0);
  await expect.poll(() => person.sent("listSessions")).not.toEqual([]);
});

test("whoever does not know the password has a link mailed, in the same dialog", async () => {
  const person = fromTheEditor();
  person.answers.forgotPassword = () => undefined;
  const page = await scene.pageOf(person, { hasTrouble: true });
  await page.goto(`${scene.panel.url}/account/security`);
  await question(page).getByRole("button", { name: "Email me a link to choose a password" }).click();
  await question(page).getByText(`We emailed a link to ${person.state.user.email}`).waitFor();
  expect(person.sent("forgotPassword")).toEqual([{ email: person.state.user.email }]);
});
