/** What password managers read of the forms. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";
import { unsolvedChallenge } from "#testing/panel/unsolved-challenge.ts";

const scene = createPanelScene();
let owner: PanelPerson;

beforeEach(() => {
  owner = scene.panel.signIn();
  owner.state.user.account.instance = buildInstance({ url: "http://ada.localhost:3000" });
  scene.panel.visitor.answers.getChallenge = () => ({ kind: "altcha", challenge: unsolvedChallenge });
});

/** The fields of the form with a password, as a password manager sees them: the name's value, if it is already there. */
async function fieldsOf(page: Page): Promise<string[]> {
  await page.locator("form input[type=password]").first().waitFor();
  return page
    .locator("form:has(input[type=password]) input[autocomplete]")
    .evaluateAll((inputs) => (inputs as HTMLInputElement[]).map(({ autocomplete, value }) => `${autocomplete} ${value}`.trim()));
}

test.each([
  ["/login", ["username", "current-password"]],
  ["/register", ["name", "off", "email", "email", "new-password"]],
  ["/reset-password?token=x#ada%40example.com", ["username ada@example.com", "new-password"]],
])("the form at %s names the account and its password", async (path, fields) => {
  const page = await scene.pageOf();
  await page.goto(scene.panel.url + path);
  expect(await fieldsOf(page)).toEqual(fields);
});

test.each([
  ["change-password", ["username ada@example.com", "current-password", "new-password"]],
  ["change-email", ["username ada@example.com", "email", "current-password"]],
])("the dialog %s names the account whose password it asks for", async (dialog, fields) => {
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/account/profile?account=${dialog}`);
  expect(await fieldsOf(page)).toEqual(fields);
});

test("an export with credentials names the account whose password it asks for, which is not its passphrase", async () => {
  const page = await scene.pageOf(owner);
  await page.goto(`${scene.panel.url}/manage/export`);
  await page.getByRole("checkbox").first().check();
  expect(await fieldsOf(page)).toEqual(["username ada@example.com", "new-password", "new-password", "current-password"]);
});
