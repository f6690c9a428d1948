/** The panel and its API on two origins of one site, and the API under other paths: what a browser makes of it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { bootTimeoutMs, signUp } from "#testing/browser/owner-steps.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { findFreePort, startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

/** Hosts of one site, whose pages browsers trust as those on https: the check of the sign-up needs it. */
const hostOf = (name: string): string => `${name}.slipway.localhost`;

let port: number;
let panel: string;
let api: string;
let slipway: Slipway;
let browser: Browser;

beforeAll(async () => {
  port = await findFreePort();
  panel = `http://${hostOf("app")}:${port}`;
  api = `http://${hostOf("api")}:${port}`;
  slipway = await startSlipway({
    port,
    env: {
      PUBLIC_URL: panel,
      API_URL: `${api}/v2`,
      INSTANCE_PATH: "/own/workspace",
      PLANS_URL: `http://${hostOf("plans")}:${port}`,
      NODE_CATALOGUE_URL: `http://${hostOf("nodes")}:${port}`,
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

async function openContext() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  const asked: { type: string; method: string; url: string }[] = [];
  const errors: string[] = [];
  context.on("request", (request) => asked.push({ type: request.resourceType(), method: request.method(), url: request.url() }));
  context.on("console", (message) => {
    if (message.type() === "error" || /preload/.test(message.text())) errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => errors.push(error.error().message));
  return { context, asked, errors, page: await context.newPage() };
}

test("a customer signs up, launches, sees the workspace change and signs out with the API on another origin", async () => {
  const { context, asked, errors, page } = await openContext();
  const person = { accountName: "two-origins", email: "two-origins@example.com", password: "correct horse battery" };
  await signUp(page, panel, person);
  const cookies = await context.cookies([panel, api]);
  expect(cookies.filter(({ httpOnly }) => httpOnly).map(({ domain }) => domain)).toEqual(
    cookies.filter(({ httpOnly }) => httpOnly).map(() => hostOf("api")),
  );
  expect(cookies.find(({ name, domain }) => name === "slipway-signed-in" && domain === hostOf("app"))).toMatchObject({ value: "1" });

  await page.getByRole("button", { name: "Launch workspace" }).click();
  await page.waitForURL("**/account/launching");
  await page.getByRole("heading", { name: "Your workspace is now online." }).waitFor({ timeout: bootTimeoutMs });
  expect(asked.filter(({ type }) => type === "eventsource").map(({ url }) => url)).toContain(`${api}/v2/own/workspace/events`);

  await page.goto(`${panel}/dashboard`);
  await page.getByRole("heading", { name: "Hello, Ada Lovelace" }).waitFor();
  await page.goto(`${panel}/account/change-plan`);
  await page.getByText("Starter").first().waitFor();
  // A page that begins with a call for the user makes it once: the answer that was fetched ahead is the one that is used.
  const before = asked.length;
  await page.goto(`${panel}/manage/logs`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  expect(download.url()).toBe(`${api}/v2/own/workspace/logs/download`);
  expect(asked.slice(before).filter(({ url, method }) => url === `${api}/v2/auth/me` && method === "GET")).toHaveLength(1);

  // The panel's host has the pages and their files, of which a script may draw the tab's mark; every call goes to the services' own hosts.
  const calls = asked.filter(({ type }) => type === "fetch" || type === "xhr" || type === "eventsource").map(({ url }) => new URL(url));
  const [ofPanel, ofServices] = [true, false].map((is) => calls.filter(({ hostname }) => (hostname === hostOf("app")) === is));
  expect(ofPanel!.map(({ pathname }) => pathname).filter((path) => path !== "/favicon.svg")).toEqual([]);
  expect(new Set(ofServices!.map(({ hostname }) => hostname))).toEqual(new Set([hostOf("api"), hostOf("plans"), hostOf("nodes")]));

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
  expect((await context.cookies([panel, api])).filter(({ name }) => name === "token" || name === "slipway-signed-in")).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

test("a page of another origin, even of a workspace, reaches nothing with the customer's cookie", async () => {
  const { context, page } = await openContext();
  const owner = await slipway.register();
  await context.addCookies(sessionCookies(owner.token, api));
  // Any host below the panel's is a workspace's; this one is none, whose page is the gateway's.
  for (const foreign of [`http://stranger.${hostOf("app")}:${port}`, `http://${hostOf("evil")}:${port}`]) {
    await page.goto(`${foreign}/`);
    const reached = await page.evaluate(async (base) => {
      const attempt = (path: string, init: RequestInit = {}) =>
        fetch(base + path, { credentials: "include", ...init }).then(
          ({ type, status }) => `${type} ${status}`,
          () => "refused by the browser",
        );
      return [
        await attempt("/auth/me"),
        await attempt("/auth/logout"),
        await attempt("/auth/logout", { mode: "no-cors" }),
        await attempt("/own/workspace/restart", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
      ];
    }, `${api}/v2`);
    expect(new Set(reached)).toEqual(new Set(["refused by the browser"]));
  }
  const me = await slipway.call("GET", "/api/auth/me", { token: owner.token });
  expect(me.status).toBe(200);
  await context.close();
});
