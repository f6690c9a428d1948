/**
 * `npm run pictures`: renders every state of the panel's table of states at two widths, light and dark, and writes one contact sheet for
 * each theme into docs/images, beside the README's picture. Prepared answers take the place of the API. Fails where a page has more than
 * one filled button. `-- some words` only writes pictures of the states whose titles contain them, to .cache/pictures; `-- product` draws
 * the picture that visitors see, with n8n, and `-- product node-red` with Node-RED.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { defaultEngine, engineNames, type EngineName } from "#contract/workspaces/engine-names.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { servePanel, type PanelServer } from "#testing/panel/serve-panel.ts";
import { drawProduct } from "./draw-product.ts";
import { signInPictured } from "./sign-in-pictured.ts";
import { checkPictures, now, picturedStates, type PicturedState } from "./states.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 900 } } as const;
/** The one that the README opens with. */
const readmeState = "Online, paid";
const readmeSize = { width: 1280, height: 860 };
const themes = ["light", "dark"] as const;
/** Two of them are in the repository, and in every clone. */
const mostBytes = 400_000;

interface Picture {
  title: string;
  wide: Buffer;
  narrow: Buffer;
}

const wanted = process.argv.slice(2).join(" ").toLowerCase();
const pictured = engineNames.find((name) => wanted === (name === defaultEngine ? "product" : `product ${name}`));
await (pictured ? drawVisitorsPicture(pictured) : drawStates());

async function drawVisitorsPicture(engine: EngineName): Promise<void> {
  process.env["NODE_ENV"] = "production";
  await build({ configFile: join(root, "apps/web/vite.config.ts"), logLevel: "warn" });
  await using browser = await launchBrowser();
  await drawProduct(browser, root, engine);
}

async function drawStates(): Promise<void> {
  checkPictures();
  const folder = mkdtempSync(join(tmpdir(), "slipway-pictures-"));
  try {
    process.env["NODE_ENV"] = "production";
    await build({ configFile: join(root, "apps/web/vite.config.ts"), logLevel: "warn", build: { outDir: folder, emptyOutDir: true } });
    await using panel = await servePanel({ folder });
    await using browser = await launchBrowser();
    for (const theme of themes) await drawTheme(browser, panel, theme);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drawTheme(browser: Browser, panel: PanelServer, theme: (typeof themes)[number]): Promise<void> {
  const pictures: Picture[] = [];
  for (const state of picturedStates.filter(({ title }) => title.toLowerCase().includes(wanted))) {
    const shots: Partial<Record<keyof typeof sizes, Buffer>> = {};
    for (const [size, viewport] of Object.entries(sizes) as [keyof typeof sizes, (typeof sizes)["wide"]][]) {
      shots[size] = await shoot(browser, panel, state, { theme, viewport });
    }
    pictures.push({ title: state.title, wide: shots.wide!, narrow: shots.narrow! });
  }
  if (wanted) return keep(pictures, theme);
  const [readme] = picturedStates.filter(({ title }) => title === readmeState);
  writeFileSync(join(root, `docs/images/dashboard-${theme}.png`), await shoot(browser, panel, readme!, { theme, viewport: readmeSize }));
  const sheet = await drawSheet(browser, pictures, theme);
  writeFileSync(join(root, `docs/images/states-${theme}.jpg`), sheet);
  console.log(`docs/images/states-${theme}.jpg: ${pictures.length} states, ${Math.round(sheet.length / 1000)} KB`);
}

/** A picture of this state. */
async function shoot(
  browser: Browser,
  panel: PanelServer,
  state: PicturedState,
  { theme, viewport }: { theme: (typeof themes)[number]; viewport: { width: number; height: number } },
): Promise<Buffer> {
  const context = await browser.newContext({ viewport, colorScheme: theme, timezoneId: "Europe/Berlin", reducedMotion: "reduce" });
  await context.addCookies(sessionCookies(signInPictured(panel, state).token, panel.url));
  const page = await context.newPage();
  await page.clock.install({ time: now });
  await page.goto(panel.url + state.page);
  await settle(page);
  await expectOnePrimary(page, `${state.title}, ${viewport.width} px`);
  const picture = await page.screenshot({ type: "png", fullPage: wanted !== "" });
  await context.close();
  return picture;
}

/** Until nothing loads any more. */
async function settle(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("load");
  await page.clock.runFor(3_000);
  await page.waitForFunction(() => document.querySelectorAll("[aria-busy=true]").length === 0);
  await page.evaluate(() => document.fonts.ready);
}

/** Holds what the table promises on the page itself: one headline, and at most one filled button. */
async function expectOnePrimary(page: Page, name: string): Promise<void> {
  const filled = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a.bg-accent, button.bg-accent:not([disabled])")]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .map((button) => button.innerText),
  );
  if (filled.length > 1) throw new Error(`${name}: ${filled.length} primary actions (${filled.join(", ")})`);
}

function keep(pictures: Picture[], theme: string): void {
  const kept = join(root, ".cache/pictures");
  mkdirSync(kept, { recursive: true });
  for (const { title, wide, narrow } of pictures) {
    const name = title.toLowerCase().replaceAll(/\W+/g, "-");
    writeFileSync(join(kept, `${name}-wide-${theme}.png`), wide);
    writeFileSync(join(kept, `${name}-narrow-${theme}.png`), narrow);
  }
  console.log(`${kept}: ${pictures.length} states, ${theme}`);
}

/** All pictures with their titles on one page, as a JPEG of bounded size. */
async function drawSheet(browser: Browser, pictures: Picture[], theme: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 2000, height: 1000 } });
  const image = (data: Buffer, width: number) => `<img width="${width}" src="data:image/png;base64,${data.toString("base64")}">`;
  await page.setContent(`<style>
    body { margin: 0; padding: 28px; font: 500 15px Inter, sans-serif; background: ${theme === "dark" ? "#05090a" : "#dfe6e6"}; color: ${theme === "dark" ? "#e8f0f0" : "#0d2024"}; }
    main { display: grid; grid-template-columns: repeat(4, 1fr); gap: 24px 20px; }
    figure { margin: 0; } figcaption { margin-bottom: 6px; } div { display: flex; gap: 8px; } img { border-radius: 4px; }
  </style><main>${pictures
    .map(
      ({ title, wide, narrow }) => `<figure><figcaption>${title}</figcaption><div>${image(wide, 366)}${image(narrow, 99)}</div></figure>`,
    )
    .join("")}</main>`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  for (const quality of [80, 70, 60, 50, 40]) {
    const sheet = await page.screenshot({ type: "jpeg", quality, fullPage: true });
    if (sheet.length <= mostBytes) return sheet;
  }
  throw new Error(`The contact sheet is larger than ${mostBytes / 1000} KB.`);
}
