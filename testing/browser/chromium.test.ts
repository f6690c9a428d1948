import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./chromium.ts";

test("the browser shows a page on a name below localhost, with a font to draw it", { timeout: 90_000 }, async () => {
  const server = createServer((request, response) =>
    response.setHeader("content-type", "text/html").end(`<h1 style="display:inline-block">${request.headers.host}</h1>`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://acme.localhost:${port}/`);
  const heading = page.getByRole("heading");
  expect(await heading.textContent()).toBe(`acme.localhost:${port}`);
  // Without a font, text has no width.
  expect((await heading.boundingBox())?.width).toBeGreaterThan(50);
  if (process.env["SCREENSHOT"]) await page.screenshot({ path: process.env["SCREENSHOT"] });
});
