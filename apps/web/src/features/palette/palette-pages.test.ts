import { expect, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { paths } from "../../lib/paths.ts";
import { palettePages, pathOf } from "./palette-pages.ts";

const person = { account: { isSetup: true, billing: {} } } as User;

/** Pages of a sign-up, of links in mails and of testers, and a second address. */
const others: readonly (keyof typeof paths)[] = [
  ...(["home", "login", "register", "verifyEmail", "confirmEmail", "continueAs", "forgotPassword", "resetPassword", "magicLink"] as const),
  ...(["changeEmail", "continue", "survey", "apps", "setup", "launching", "manageInstance", "open", "checkout", "suspended"] as const),
  ...(["developmentInbox", "experiments"] as const),
];

test("every page of the panel is in the palette, each key leads to one", () => {
  const pages = palettePages(person);
  const expected = Object.keys(paths).filter((name) => !others.includes(name as keyof typeof paths));
  expect(pages.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
  const keys = pages.flatMap(({ key }) => (key ? [key] : []));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).not.toContain("g");
});

test("a page that would only redirect is not offered", () => {
  expect(palettePages({ account: { isSetup: false, billing: null } } as unknown as User).map(pathOf)).toEqual([
    "/dashboard",
    "/invite-teammate",
    "/account/profile",
    "/account/notifications",
    "/account/security",
    "/account/close",
    "/help",
  ]);
  expect(palettePages(null).map(pathOf)).toEqual(["/help"]);
});
