/** The gateway's own pages in a real browser, as its visitors get them: with their headers, in each language and on a phone. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { refusals, type Refusal } from "#apps/gateway/refusals/refusal.ts";
import { sendRefusal } from "#apps/gateway/refusals/send-refusal.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";

const host = "a-rather-long-account-name.localhost";

let server: Server;
let browser: Browser;
/** What the next requests get; without one, the workspace answers. */
let refusal: Refusal | null = null;

beforeAll(async () => {
  server = createServer((req, res) => {
    if (refusal) return sendRefusal(req, res, refusal, "http://localhost:3000/");
    res.setHeader("content-type", "text/html");
    res.end("<title>n8n</title><h1>The editor</h1>");
  }).listen(0, "127.0.0.1");
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

async function visit(first: Refusal, locale = "en-US"): Promise<{ page: Page; complaints: string[] }> {
  refusal = first;
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale });
  context.setDefaultTimeout(pageTimeoutMs);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The page's own status, and that of each look.
    if (message.type() === "error" && !/status of [45]\d\d/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/workflow/1?tab=2`);
  return { page, complaints };
}

test.each(Object.keys(refusals) as (keyof typeof refusals)[])(
  "the page of %s is accessible, fits a phone in each language, and keeps to its policy",
  async (name) => {
    for (const locale of ["en-US", "de-DE"]) {
      const { page, complaints } = await visit(refusals[name], locale);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText(host).waitFor();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await page.locator("html").getAttribute("lang")).toBe(locale.slice(0, 2));
      await expectAccessible(page);
      expect(complaints).toEqual([]);
    }
  },
);

test("a waking workspace shows how far it is, and becomes the editor at the address that was asked for", async () => {
  const { page } = await visit({ ...refusals.waking, percent: 20 });
  const bar = page.getByRole("progressbar", { name: "This workspace is waking up" });
  const left = async () => (await page.locator("#hull").boundingBox())!.x;
  const before = await left();
  expect(await bar.evaluate((progress: HTMLProgressElement) => progress.value)).toBe(20);
  refusal = { ...refusals.waking, percent: 70 };
  await expect.poll(() => bar.evaluate((progress: HTMLProgressElement) => progress.value)).toBe(70);
  await page.getByText("70 %").waitFor();
  // It sails there.
  await expect.poll(left).toBeGreaterThan(before);
  refusal = null;
  await page.getByRole("heading", { name: "The editor" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/workflow/1");
});

test("a form sent to a starting workspace is not sent again; the page leads to the start page, which then continues", async () => {
  const { page } = await visit(refusals.starting);
  const url = page.url();
  await page.goto("about:blank");
  await page.evaluate((action) => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = action;
    document.body.appendChild(form).submit();
  }, url);
  await page.waitForTimeout(3000);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to the workspace's start page" }).click();
  await page.getByRole("progressbar").waitFor();
  refusal = null;
  await page.getByRole("heading", { name: "The editor" }).waitFor();
});

test("an offline workspace's page continues as soon as it is back", async () => {
  const { page } = await visit(refusals.offline);
  await page.getByText("This page checks again automatically.").waitFor();
  refusal = null;
  await page.getByRole("heading", { name: "The editor" }).waitFor();
});
