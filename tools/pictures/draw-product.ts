/**
 * Draws the picture of the product that visitors see: an engine's editor in a real workspace, and the panel on a phone before it, light and
 * dark. Written to apps/web/src/layouts/product as WebP. Needs the installed engine that tests share.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { leadsFlow } from "./leads-flow.ts";
import { leadsWorkflow } from "./leads-workflow.ts";

/** A cold boot on a busy machine. */
const bootTimeoutMs = 180_000;
/** Of the file, in pixels: twice what it takes on the page. */
const size = { width: 1200, height: 660 };
/** The page's budget for a picture that is fetched last. */
const mostBytes = 90_000;

interface Editor {
  /** Pixels at its top that are left out. */
  above: number;
  /** Until the link has signed its owner in. */
  arrive?: (page: Page) => Promise<void>;
  /** Puts something presentable into the workspace; returns the page that shows it. */
  fill: (page: Page) => Promise<string>;
  /** Once `page` shows it, until it is complete. */
  settle: (page: Page) => Promise<void>;
}

const editors: Record<EngineName, Editor> = {
  n8n: {
    // Its bar about the trial.
    above: 38,
    fill: async (page) => {
      const id = await page.evaluate(async (workflow) => {
        const answer = await fetch("/rest/workflows", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(workflow),
        });
        if (!answer.ok) throw new Error(`The workflow was refused: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
        return ((await answer.json()) as { data: { id: string } }).data.id;
      }, leadsWorkflow);
      return `/workflow/${id}`;
    },
    settle: async (page) => {
      await page.getByText("Post to Slack").first().waitFor({ timeout: bootTimeoutMs });
      // This workspace has no credentials.
      await page.addStyleTag({ content: '[data-test-id="node-issues"] { display: none !important; }' });
    },
  },
  "node-red": {
    above: 0,
    arrive: (page) => page.locator("#red-ui-header-button-deploy").waitFor({ timeout: bootTimeoutMs }),
    fill: async (page) => {
      await page.evaluate(async (flows) => {
        const { access_token: token } = JSON.parse(localStorage.getItem("auth-tokens")!) as { access_token: string };
        const answer = await fetch("/flows", {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          body: JSON.stringify(flows),
        });
        if (!answer.ok) throw new Error(`The flow was refused: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
      }, leadsFlow);
      return "/";
    },
    settle: async (page) => {
      await page.getByText("Look up company").first().waitFor({ timeout: bootTimeoutMs });
      // Room for the flow.
      await page.evaluate(() =>
        (globalThis as unknown as { RED: { actions: { invoke(name: string): void } } }).RED.actions.invoke("core:toggle-sidebar"),
      );
    },
  },
};

export async function drawProduct(browser: Browser, root: string, engine: EngineName): Promise<void> {
  const folder = join(root, "apps/web/src/layouts/product");
  mkdirSync(folder, { recursive: true });
  await using slipway = await startSlipway({ engine, env: { WORKSPACE_POOL: "0" } });
  const owner = await slipway.launch({ accountName: "acme" });
  await slipway.until(owner, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
  const { above, arrive, settle } = editors[engine];
  const path = await fill(browser, slipway, owner, engine);
  for (const theme of ["light", "dark"] as const) {
    const editor = await shoot(browser, slipway, owner, { theme, viewport: { width: 1280, height: 800 }, above }, async (page) => {
      await page.goto(await loginLink(slipway, owner));
      await arrive?.(page);
      await page.goto(slipway.workspaceUrl("acme") + path);
      await settle(page);
      await page.waitForTimeout(3_000);
    });
    const panel = await shoot(browser, slipway, owner, { theme, viewport: { width: 390, height: 760 } }, async (page) => {
      await page.goto(`${slipway.url}/dashboard`);
      await page.getByRole("button", { name: "Open workspace" }).first().waitFor();
      await page.waitForTimeout(1_000);
    });
    const picture = await compose(browser, editor, panel, theme);
    writeFileSync(join(folder, `${engine}-${theme}.webp`), picture);
    console.log(`${engine}-${theme}.webp: ${Math.round(picture.length / 1000)} KB`);
  }
}

async function loginLink(slipway: Slipway, { token }: Customer): Promise<string> {
  return (await slipway.call("GET", "/api/instance/url", { token })).json<{ url: string }>().url;
}

/** Where the editor shows what was put into the workspace. */
async function fill(browser: Browser, slipway: Slipway, owner: Customer, engine: EngineName): Promise<string> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(await loginLink(slipway, owner));
    await editors[engine].arrive?.(page);
    return await editors[engine].fill(page);
  } finally {
    await context.close();
  }
}

interface Shot {
  theme: "light" | "dark";
  viewport: { width: number; height: number };
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
