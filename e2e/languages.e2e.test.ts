/**
 * The panel in another language, and its commands by keyboard alone: every page read in both, none cut when its texts grow, and none moving
 * while it loads.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stretchedKey } from "#apps/web/src/lib/browser/language.ts";
import { paths } from "#apps/web/src/lib/paths.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { minuteMs } from "#platform/clock.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { settledShifts, watchShifts, type Shifts } from "#testing/browser/watch-shifts.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };
let slipway: Slipway;
let browser: Browser;
let owner: Customer;
let context: BrowserContext;
let watch: PageWatch;
let page: Page;

interface Reader {
  token?: string;
  locale?: string;
  /** Every text 40 % longer. */
  isStretched?: boolean;
  viewport?: typeof phone;
}

async function read({ token, locale = "en-US", isStretched = false, viewport = desk }: Reader): Promise<BrowserContext> {
  const made = await browser.newContext({ locale, viewport, reducedMotion: "reduce" });
  made.setDefaultTimeout(pageTimeoutMs);
  if (token) await made.addCookies(sessionCookies(token, slipway.url));
  if (isStretched) await made.addInitScript((key) => localStorage.setItem(key, "1"), stretchedKey);
  return made;
}
const open = (path: string, where = page) => where.goto(slipway.url + path);
const headline = (where = page) => where.getByRole("heading", { level: 1 });
const palette = () => page.getByRole("dialog", { name: "Search and commands" });

beforeAll(async () => {
  [slipway, browser] = await Promise.all([startSlipway({ env: { FRONT_PAGE: "on" } }), launchBrowser()]);
  owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.online);
  context = await read({ token: owner.token });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  watch = await watchPages(context, `${slipway.url}/`);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

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
  await page.route("**/api/instance", async (route) => {
    await held;
    await route.continue();
  });
  await open("/help");
  await headline().waitFor();
  // Until then the workspace is what the user's own answer said.
  await page.waitForTimeout(6_000);
  await page.keyboard.press("Control+k");
  const selected = palette().getByRole("option", { selected: true });
  await expect.poll(() => selected.innerText()).toContain("Invite teammates");
  goOn();
  await palette().getByRole("option", { name: "Open workspace", exact: true }).waitFor();
  expect(await selected.innerText()).toContain("Invite teammates");
  await page.unroute("**/api/instance");
  await closeByEscape(palette());
});

test("its actions act: the URL is copied, a restart asks first, help opens at the answer, versions and members are found", async () => {
  const choose = async (query: string, name: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await palette().getByRole("combobox").fill(query);
    await palette().getByRole("option", { name, selected: true }).waitFor();
    await page.keyboard.press("Enter");
  };
  await open("/dashboard");
  await headline().waitFor();
  await choose("copy", "Copy workspace URL");
  await page.getByText("URL copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(owner.accountName);
  await choose("restart", "Restart workspace");
  const asked = page.getByRole("alertdialog", { name: "Restart the workspace?" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await choose("ada", "Ada Lovelace");
  await page.waitForURL("**/manage/members");
  await choose("version", /^Version \d/);
  await page.waitForURL("**/manage/versions");
  await choose("invoices", "Where are my invoices?");
  await page.waitForURL("**/help/invoices");
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

test("a wrong password is answered at its field in German", async () => {
  const german = await read({ token: owner.token, locale: "de-DE" });
  const its = await german.newPage();
  await open("/manage/export", its);
  await its.getByLabel("Zugangsdaten einschließen").check();
  await its.getByLabel("Passphrase", { exact: true }).fill("correct horse battery");
  await its.getByLabel("Passphrase bestätigen").fill("correct horse battery");
  await its.getByLabel("Ihr Passwort").fill("wrong password");
  await its.getByRole("button", { name: "Workflows exportieren" }).click();
  await its.getByText("Das ist nicht Ihr aktuelles Passwort.").waitFor();
  await german.close();
});

test("on a phone the header's button opens the palette, which fits", async () => {
  const small = await read({ token: owner.token, viewport: phone });
  const its = await small.newPage();
  await open("/dashboard", its);
  await its.getByRole("button", { name: "Search and commands" }).click();
  const dialog = its.getByRole("dialog", { name: "Search and commands" });
  await dialog.getByRole("option", { name: "Dark theme" }).click();
  await expect.poll(() => its.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await expect.poll(() => its.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
  await small.close();
});

test("a browser set to German reads German; the footer changes it without a reload or the loss of what was typed, and the choice is kept", async () => {
  const german = await read({ locale: "de-AT", viewport: phone });
  const its = await german.newPage();
  await open("/login", its);
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
  await open("/help", its);
  await its.getByRole("heading", { name: "Help", level: 1 }).waitFor();
  await german.close();
});

/** For about 40 pages on a busy machine; on two idle cores it takes half a minute per width. */
const allPagesMs = 15 * minuteMs;

/**
 * Each page once, opened by a user whom it does not redirect; the owner opens all others. One address only redirects, and `/open` leads out
 * of the panel.
 */
async function readers(): Promise<{ who: string; token?: string; at: readonly string[] }[]> {
  const newcomer = await slipway.register();
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
    { who: "newcomer", token: newcomer.token, at: [...first, paths.dashboard, paths.inviteTeammate] },
    { who: "owner", token: owner.token, at: Object.values(paths).filter((path) => !taken.includes(path)) },
  ];
}

/**
 * Opens every page as `reader`, and calls `look` with the open page and what moved on it while it loaded. If a page redirects, only its
 * target is passed.
 */
async function readAll(reader: Reader, look: (its: Page, name: string, shifts: Shifts) => Promise<void>): Promise<void> {
  for (const { who, token, at } of await readers()) {
    const visit = await read({ ...(token ? { token } : {}), ...reader });
    await watchShifts(visit);
    const its = await visit.newPage();
    const seen = new Set<string>();
    for (const path of at) {
      const opened = async () => {
        await open(path, its);
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
    await visit.close();
  }
}

test("no page cuts a text that is 40 % longer on a phone, and none is wider than it", { timeout: allPagesMs }, async () => {
  const wrong: string[] = [];
  await readAll({ isStretched: true, viewport: phone }, async (its, name) => {
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
    await readAll({ locale: "de-DE", viewport: phone }, async (_its, name, { said }) => {
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
  return its.evaluate(() => {
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
}

test("a cookie that a workspace's page can set for the panel's host does not stretch the panel's words", async () => {
  const misled = await read({ viewport: phone });
  await misled.addCookies([{ name: "language", value: "pseudo", url: slipway.url }]);
  const its = await misled.newPage();
  await open("/login", its);
  await its.getByRole("heading", { name: "Welcome back", exact: true }).waitFor();
  await misled.close();
});

test("a language chosen in the profile is used in the next browser, and switching off a mail can be undone", async () => {
  const person = await slipway.register();
  const first = await read({ token: person.token });
  const its = await first.newPage();
  await open("/account/profile", its);
  await its.getByLabel("Full name").fill("Ada King");
  await its.getByLabel("Language").first().selectOption("Deutsch");
  await expectAccessible(its);
  await its.getByRole("button", { name: "Save profile" }).click();
  await its.getByRole("heading", { name: "Profil", level: 1 }).waitFor();
  await its.getByText("Profil gespeichert.").waitFor();
  await first.close();
  const second = await read({ token: person.token, viewport: phone });
  const other = await second.newPage();
  await open("/account/notifications", other);
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
  const kept = async () => (await slipway.call("GET", "/api/auth/me", { token: person.token })).json<{ user: object }>().user;
  await expect.poll(kept).toMatchObject({ fullName: "Ada King", profile: { language: "de", mutedMails: [] } });
  await second.close();
});

test("none of it logged an error or called another machine", () => {
  expect(watch.trouble()).toEqual([]);
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
