/**
 * Draws the picture of the product that visitors see: n8n's editor in a real workspace, and the panel on a phone before it, light and dark.
 * Written to apps/web/src/layouts/product as WebP. Needs the installed n8n that tests share.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { leadsWorkflow } from "./leads-workflow.ts";

/** A cold boot on a busy machine. */
const bootTimeoutMs = 180_000;
/** Of the file, in pixels: twice what it takes on the page. */
const size = { width: 1200, height: 660 };
/** The page's budget for a picture that is fetched last. */
const mostBytes = 90_000;

export async function drawProduct(browser: Browser, root: string): Promise<void> {
  const folder = join(root, "apps/web/src/layouts/product");
  mkdirSync(folder, { recursive: true });
  await using slipway = await startSlipway({ engine: "n8n", env: { WORKSPACE_POOL: "0" } });
  const owner = await slipway.launch({ accountName: "acme" });
  await slipway.until(owner, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
  const workflow = await makeWorkflow(browser, slipway, owner);
  for (const theme of ["light", "dark"] as const) {
    const editor = await shoot(browser, slipway, owner, { theme, viewport: { width: 1280, height: 800 }, above: 38 }, async (page) => {
      await page.goto(await loginLink(slipway, owner));
      await page.goto(`${slipway.workspaceUrl("acme")}/workflow/${workflow}`);
      await page.getByText("Post to Slack").first().waitFor({ timeout: bootTimeoutMs });
      // Nobody has given this workspace its credentials.
      await page.addStyleTag({ content: '[data-test-id="node-issues"] { display: none !important; }' });
      await page.waitForTimeout(3_000);
    });
    const panel = await shoot(browser, slipway, owner, { theme, viewport: { width: 390, height: 760 } }, async (page) => {
      await page.goto(`${slipway.url}/dashboard`);
      await page.getByRole("button", { name: "Open workspace" }).first().waitFor();
      await page.waitForTimeout(1_000);
    });
    const picture = await compose(browser, editor, panel, theme);
    writeFileSync(join(folder, `product-${theme}.webp`), picture);
    console.log(`product-${theme}.webp: ${Math.round(picture.length / 1000)} KB`);
  }
}

async function loginLink(slipway: Slipway, { token }: Customer): Promise<string> {
  return (await slipway.call("GET", "/api/instance/url", { token })).json<{ url: string }>().url;
}

/** Its id in the workspace. */
async function makeWorkflow(browser: Browser, slipway: Slipway, owner: Customer): Promise<string> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(await loginLink(slipway, owner));
    return await page.evaluate(async (workflow) => {
      const answer = await fetch("/rest/workflows", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(workflow),
      });
      if (!answer.ok) throw new Error(`The workflow was refused: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
      return ((await answer.json()) as { data: { id: string } }).data.id;
    }, leadsWorkflow);
  } finally {
    await context.close();
  }
}

interface Shot {
  theme: "light" | "dark";
  viewport: { width: number; height: number };
  /** What is left out at the top, in pixels: the editor's bar about the trial. */
  above?: number;
}

/** A picture of what `open` leads to, as its owner sees it. */
async function shoot(
  browser: Browser,
  slipway: Slipway,
  owner: Customer,
  { theme, viewport, above = 0 }: Shot,
  open: (page: Page) => Promise<void>,
): Promise<Buffer> {
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
  });
  try {
    await context.addCookies(sessionCookies(owner.token, slipway.url));
    const page = await context.newPage();
    await open(page);
    return await page.screenshot({ type: "png", clip: { x: 0, y: above, width: viewport.width, height: viewport.height - above } });
  } finally {
    await context.close();
  }
}

/** The editor as a window, the panel as a phone before its lower right corner; transparent around them. */
async function compose(browser: Browser, editor: Buffer, panel: Buffer, theme: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: size });
  const url = (data: Buffer) => `data:image/png;base64,${data.toString("base64")}`;
  const line = theme === "dark" ? "#2b4046" : "#c9d5d5";
  await page.setContent(`<style>
    body { margin: 0; background: transparent; }
    img { position: absolute; border: 1px solid ${line}; box-shadow: 0 12px 40px rgb(0 0 0 / 0.35); }
    .editor { left: 0; top: 0; width: 1010px; border-radius: 14px; }
    .panel { right: 8px; bottom: 16px; width: 264px; border-radius: 22px; }
  </style><img class="editor" src="${url(editor)}"><img class="panel" src="${url(panel)}">`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const drawn = await page.screenshot({ type: "png", omitBackground: true });
  for (const quality of [0.82, 0.74, 0.66, 0.58]) {
    const picture = Buffer.from(await toWebp(page, url(drawn), quality), "base64");
    if (picture.length > mostBytes) continue;
    await page.close();
    return picture;
  }
  throw new Error(`The picture is larger than ${mostBytes / 1000} KB.`);
}

/** In the browser, which has the encoder: base64. */
const toWebp = (page: Page, url: string, quality: number): Promise<string> =>
  page.evaluate(
    async ([source, wanted]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext("2d")!.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", wanted).split(",")[1]!;
    },
    [url, quality] as const,
  );
