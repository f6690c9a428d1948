import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./chromium.ts";
import { findProblems } from "./expect-accessible.ts";

async function openPage(): Promise<Page> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  return browser.newPage();
}

test("the browser shows a page on a name below localhost, with a font to draw it", async () => {
  const server = createServer((request, response) =>
    response.setHeader("content-type", "text/html").end(`<h1 style="display:inline-block">${request.headers.host}</h1>`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const page = await openPage();
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://acme.localhost:${port}/`);
  const heading = page.getByRole("heading");
  expect(await heading.textContent()).toBe(`acme.localhost:${port}`);
  // Without a font, text has no width.
  expect((await heading.boundingBox())?.width).toBeGreaterThan(50);
  if (process.env["SCREENSHOT"]) await page.screenshot({ path: process.env["SCREENSHOT"] });
});

test("an accessibility problem is found in its colour scheme, on each page again", async () => {
  const page = await openPage();
  const show = (body: string, darkInk: string, lightInk = "#000") =>
    page.setContent(`<!doctype html><html lang="en"><title>Page</title><style>
      :root { color-scheme: light dark; --canvas: #fff; --ink: ${lightInk} }
      @media (prefers-color-scheme: dark) { :root { --canvas: #000; --ink: ${darkInk} } }
      body { background: var(--canvas); color: var(--ink); transition: color 0.2s, background-color 0.2s }
    </style><main><h1>Heading</h1>${body}</main></html>`);
  const problems = async () => {
    const [light, dark] = [await findProblems(page, "light"), await findProblems(page, "dark")];
    return { light: light.map(({ id }) => id), dark: dark.map(({ id }) => id) };
  };
  await show("<p>Text</p>", "#fff");
  expect(await problems()).toEqual({ light: [], dark: [] });
  await show("<p>Text</p>", "#333");
  expect(await problems()).toEqual({ light: [], dark: ["color-contrast"] });
  await show('<p>Text</p><img src="data:,">', "#fff", "#ccc");
  expect(await problems()).toEqual({ light: ["color-contrast", "image-alt"], dark: [] });
  await page.goto("data:text/html,<h1>Heading</h1>");
  expect((await problems()).light).toContain("document-title");
});
