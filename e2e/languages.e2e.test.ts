/**
 * The panel in another language: every page read in both, none cut when its texts grow, and none moving while it loads.
 */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { stretchedKey } from "#apps/web/src/lib/browser/language.ts";
import { paths } from "#apps/web/src/lib/paths.ts";
import { onboardingSteps } from "#contract/accounts/account-values.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";
import { minuteMs } from "#platform/clock.ts";
import { buildAccount } from "#testing/accounts/build-account.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { settledShifts, watchShifts, type Shifts } from "#testing/browser/watch-shifts.ts";
import { unsolvedChallenge } from "#testing/panel/unsolved-challenge.ts";
import { liveIn } from "#testing/panel/lived-in-answers.ts";
import type { Answers } from "#testing/panel/panel-answers.ts";
import { createPanelScene, type Opened } from "#testing/panel/panel-scene.ts";
import { profileAnswers } from "#testing/panel/profile-answers.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";

const phone = { width: 390, height: 844 };
/** As outside production: with an inbox for mails, and a bar for testers of the payment sandbox. */
const scene = createPanelScene({ panel: { hasFrontPage: true, developmentInbox: true, sandbox: true } });
let owner: PanelPerson;

const testersAnswers: Answers = {
  developmentInbox: (_asked, { now, user }) => ({
    messages: [
      {
        id: "1",
        to: user.email,
        subject: "Confirm your email address",
        text: "Hello Ada,\n\nplease confirm your address: http://localhost:3000/confirm-email?token=abc",
        html: "<p>Hello Ada, please confirm your address.</p>".repeat(25),
        links: ["http://localhost:3000/confirm-email?token=abc"],
        sentAt: now.toISOString(),
      },
    ],
  }),
  getClock: (_asked, { now }) => ({ now: now.toISOString(), aheadMs: 0, settled: true }),
  getSandbox: () => ({
    webhooks: { delaySeconds: 0, duplicate: false, reorder: false, drop: false, waiting: 0, dropped: 0, lastError: null },
  }),
};

function prepare(person: PanelPerson): PanelPerson {
  Object.assign(person.state.config, { developmentInbox: true, sandbox: true, workspaceHost: new URL(scene.panel.url).host });
  Object.assign(person.answers, testersAnswers, profileAnswers);
  return person;
}

beforeEach(() => {
  // With the check that most operators use: it is only shown, and never solved.
  prepare(scene.panel.visitor).answers.getChallenge = () => ({ kind: "altcha", challenge: unsolvedChallenge });
  owner = prepare(scene.panel.signIn());
  liveIn(owner);
});

interface Reader extends Opened {
  /** Every text 40 % longer. */
  isStretched?: boolean;
}

async function read(person: PanelPerson | undefined, { isStretched = false, ...opened }: Reader = {}): Promise<Page> {
  const its = await scene.pageOf(person, { locale: "en-US", reducedMotion: "reduce", ...opened });
  if (isStretched) await its.addInitScript((key) => localStorage.setItem(key, "1"), stretchedKey);
  return its;
}
const open = (its: Page, path: string) => its.goto(scene.panel.url + path);
const headline = (its: Page) => its.getByRole("heading", { level: 1 });

test("a wrong password is answered at its field in German", async () => {
  const code = "current_password.wrong";
  owner.answers.exportWorkflows = () =>
    Promise.reject(new AppError("wrong_password", { errors: [{ path: "password", code, message: fieldMessage(code) }] }));
  // The browser logs the refused call as an error.
  const its = await scene.pageOf(owner, { locale: "de-DE", hasTrouble: true });
  await open(its, "/manage/export");
  await its.getByLabel("Zugangsdaten einschließen").check();
  await its.getByLabel("Passphrase", { exact: true }).fill("correct horse battery");
  await its.getByLabel("Passphrase bestätigen").fill("correct horse battery");
  await its.getByLabel("Ihr Passwort").fill("wrong password");
  await its.getByRole("button", { name: "Workflows exportieren" }).click();
  await its.getByText("Das ist nicht Ihr aktuelles Passwort.").waitFor();
  expect(owner.sent("exportWorkflows")).toEqual([
    { withCredentials: true, passphrase: "correct horse battery", password: "wrong password" },
  ]);
});

test("a browser set to German reads German; the footer changes it without a reload or the loss of what was typed, and the choice is kept", async () => {
  const its = await read(undefined, { locale: "de-AT", size: phone });
  await open(its, "/login");
  await its.getByRole("heading", { name: "Willkommen zurück" }).waitFor();
  // Set by an effect, which runs after the page is painted.
  await expect.poll(() => its.title()).toBe("Anmelden · Slipway");
  await expect.poll(() => its.evaluate(() => document.documentElement.lang)).toBe("de");
  await its.getByRole("button", { name: "Anmelden" }).click();
  await its.getByText("Geben Sie Ihren Kontonamen oder Ihre E-Mail-Adresse ein.").waitFor();
  await expectAccessible(its);
  await its.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await its.getByRole("textbox").first().fill("ada");
  await its.getByRole("combobox", { name: "Sprache" }).selectOption("English");
  await its.getByRole("heading", { name: "Welcome back" }).waitFor();
  expect(await its.getByRole("textbox").first().inputValue()).toBe("ada");
  await expect.poll(() => its.title()).toBe("Sign in · Slipway");
  await expect.poll(() => its.evaluate(() => "isSamePage" in globalThis && document.documentElement.lang)).toBe("en");
  await open(its, "/help");
  await its.getByRole("heading", { name: "Help", level: 1 }).waitFor();
});

/** For about 40 pages on a busy machine. */
const allPagesMs = 15 * minuteMs;

/**
 * Each page once, opened by a user whom it does not redirect; the owner opens all others. One address only redirects, and `/open` leads out
 * of the panel.
 */
function readers(): { who: string; person?: PanelPerson; at: readonly string[] }[] {
  const steps = onboardingSteps.map((name) => ({ name, state: "todo" as const }));
  const account = buildAccount({ isSetup: false, planSpec: null, instance: null, onboarding: { next: "survey", steps } });
  const newcomer = prepare(scene.panel.signIn({ user: { account, confirmed: false } }));
  const visitor = [
    paths.home,
    paths.login,
    paths.register,
    paths.forgotPassword,
    paths.magicLink,
    paths.resetPassword,
    paths.changeEmail,
    paths.confirmEmail,
  ];
  const first = [paths.verifyEmail, paths.survey, paths.apps];
  const taken: readonly string[] = [...visitor, ...first, paths.setup, paths.continue, paths.open];
  return [
    { who: "visitor", at: visitor },
    { who: "newcomer", person: newcomer, at: [...first, paths.dashboard, paths.inviteTeammate] },
    { who: "owner", person: owner, at: Object.values(paths).filter((path) => !taken.includes(path)) },
  ];
}

/**
 * Opens every page as `reader`, and calls `look` with the open page and what moved on it while it loaded. If a page redirects, only its
 * target is passed.
 */
async function readAll(reader: Reader, look: (its: Page, name: string, shifts: Shifts) => Promise<void>): Promise<void> {
  for (const { who, person, at } of readers()) {
    // The browser logs as errors that a visitor's links without a token are refused.
    const its = await read(person, { ...reader, hasTrouble: person === undefined });
    await watchShifts(its.context());
    const seen = new Set<string>();
    for (const path of at) {
      const opened = async () => {
        await open(its, path);
        await headline(its).first().waitFor();
        return settledShifts(its);
      };
      // On a busy machine a late font moves lines now and then; what the page does itself moves them every time.
      let shifts = await opened();
      for (let again = 0; shifts.sum > 0 && again < 5; again += 1) shifts = await opened();
      const { pathname } = new URL(its.url());
      if (seen.has(pathname)) continue;
      seen.add(pathname);
      await look(its, `${who} ${pathname}`, shifts);
    }
    await its.context().close();
  }
}

test("no page cuts a text that is 40 % longer on a phone, and none is wider than it", { timeout: allPagesMs }, async () => {
  const wrong: string[] = [];
  await readAll({ isStretched: true, size: phone }, async (its, name) => {
    await expect.poll(() => headline(its).first().innerText(), { message: name }).toContain("⟦");
    wrong.push(...(await its.evaluate(findCut)).map((text) => `${name} cuts: ${text}`));
  });
  expect(wrong).toEqual([]);
});

test(
  "in German nothing moves on any page while it loads, each is accessible in both themes, and the keyboard gets everywhere",
  { timeout: allPagesMs },
  async () => {
    const wrong: string[] = [];
    await readAll({ locale: "de-DE", size: phone }, async (_its, name, { said }) => {
      wrong.push(...said.map((shift) => `${name} moves on a phone: ${shift}`));
    });
    await readAll({ locale: "de-DE" }, async (its, name, { said }) => {
      await expect.poll(() => its.evaluate(() => document.documentElement.lang), { message: name }).toBe("de");
      wrong.push(...said.map((shift) => `${name} moves: ${shift}`));
      wrong.push(...(await findUnreached(its)).map((control) => `${name} keeps the keyboard from: ${control}`));
      await expectAccessible(its);
      await its.emulateMedia({ reducedMotion: "reduce" });
    });
    expect(wrong).toEqual([]);
  },
);

/** What can be pressed or filled on the page but is not reached by Tab, or does not show that it has the focus. */
async function findUnreached(its: Page): Promise<string[]> {
  const count = await its.evaluate(() => {
    const reached = new Set<Element>();
    const unseen = new Set<Element>();
    document.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof Element)) return;
      reached.add(target);
      // A frame around a field may show it in its place.
      const shows = (element: Element | null): boolean => {
        if (!element) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      };
      if (!shows(target) && !shows(target.parentElement)) unseen.add(target);
    });
    const controls = () =>
      [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
        (control) =>
          control.tabIndex >= 0 &&
          !control.matches(":disabled") &&
          control.checkVisibility({ visibilityProperty: true }) &&
          !control.closest("[inert]"),
      );
    Object.assign(globalThis, { reached, unseen, controls });
    return controls().length;
  });
  // Frames, and controls that appear late, add stops of their own: on a slow machine more than a few.
  const countNow = () => its.evaluate(() => (globalThis as unknown as { controls(): HTMLElement[] }).controls().length);
  for (let stop = 0, stops = count + 5; stop < stops; stop += 1) {
    await its.keyboard.press("Tab");
    if (stop === stops - 1) stops = Math.max(stops, (await countNow()) + 5);
  }
  const unreached = await listUnreached(its);
  if (unreached.length === 0) return unreached;
  // A part that loads late takes the focus away when it replaces its placeholder, and the round begins anew.
  for (let left = (await countNow()) + 5; left > 0; left -= 1) await its.keyboard.press("Tab");
  return listUnreached(its);
}

/** What the rounds so far have not reached, or where the focus was not seen. */
const listUnreached = (its: Page): Promise<string[]> =>
  its.evaluate(() => {
    const { reached, unseen, controls } = globalThis as unknown as {
      reached: Set<Element>;
      unseen: Set<Element>;
      controls(): HTMLElement[];
    };
    const said = (control: Element, what: string) =>
      `${what} <${control.tagName.toLowerCase()}> “${control.getAttribute("aria-label") ?? control.textContent?.trim().slice(0, 40) ?? ""}”`;
    // A group of radio buttons is one stop.
    const isReached = (control: HTMLElement) =>
      reached.has(control) ||
      (control instanceof HTMLInputElement &&
        control.type === "radio" &&
        [...reached].some((other) => other instanceof HTMLInputElement && other.name === control.name));
    return [
      ...controls()
        .filter((control) => !isReached(control))
        .map((control) => said(control, "no stop:")),
      ...[...unseen].filter((control) => control.isConnected).map((control) => said(control, "focus not seen:")),
    ];
  });

test("a cookie that a workspace's page can set for the panel's host does not stretch the panel's words", async () => {
  const its = await read(undefined, { size: phone });
  await its.context().addCookies([{ name: "language", value: "pseudo", url: scene.panel.url }]);
  await open(its, "/login");
  await its.getByRole("heading", { name: "Welcome back", exact: true }).waitFor();
});

test("a language chosen in the profile is used in the next browser, and switching off a mail can be undone", async () => {
  const its = await read(owner);
  await open(its, "/account/profile");
  await its.getByLabel("Full name").fill("Ada King");
  await its.getByLabel("Language").first().selectOption("Deutsch");
  await expectAccessible(its);
  await its.getByRole("button", { name: "Save profile" }).click();
  await its.getByRole("heading", { name: "Profil", level: 1 }).waitFor();
  await its.getByText("Profil gespeichert.").waitFor();
  expect(owner.sent("changeProfile")).toMatchObject([{ fullName: "Ada King", language: "de" }]);
  await its.context().close();
  const other = await read(owner, { size: phone });
  await open(other, "/account/notifications");
  await other.getByRole("heading", { name: "Benachrichtigungen", level: 1 }).waitFor();
  // By subject; only three can be switched off, and the others say so.
  await other.getByRole("region", { name: "Tarif und Zahlungen" }).getByText("Nach jeder Zahlung, mit der Rechnung.").waitFor();
  expect([await other.getByRole("checkbox").count(), await other.getByRole("img", { name: "Immer gesendet" }).count()]).toEqual([3, 11]);
  const updates = other.getByLabel("Installierte Updates");
  await updates.uncheck();
  // Immediately, because the message stays for only 15 s.
  await other.getByRole("button", { name: "Rückgängig machen" }).click();
  await expect.poll(() => updates.isChecked()).toBe(true);
  await expectAccessible(other);
  // What the service has kept by then.
  await expect.poll(() => owner.state.user).toMatchObject({ fullName: "Ada King", profile: { language: "de", mutedMails: [] } });
  expect(owner.sent("changeProfile").slice(1)).toMatchObject([{ mutedMails: ["updates"] }, { mutedMails: [] }]);
});

/** Runs in the page: its texts that are cut. Texts that scroll or are for screen readers are not. */
function findCut(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const element of document.querySelectorAll<HTMLElement>("body *")) {
    const { overflowX, overflowY, position, clipPath } = getComputedStyle(element);
    if (clipPath !== "none" || element.clientWidth <= 1 || (position === "absolute" && element.clientHeight <= 1)) continue;
    const isCut =
      (["hidden", "clip"].includes(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (["hidden", "clip"].includes(overflowY) && element.scrollHeight > element.clientHeight + 1);
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const isWide =
      hasText && element.getBoundingClientRect().right > innerWidth + 1 && !element.closest("[class*=overflow-x-auto], table, .sr-only");
    if ((isCut && element.innerText.includes("⟦")) || isWide) found.push(element.innerText.slice(0, 60).replaceAll("\n", " "));
  }
  return found;
}
