/** The built panel and a browser for the tests of one file, and the pages that each of them opens. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchBrowser } from "../browser/chromium.ts";
import type { PageWatch } from "../browser/watch-page.ts";
import { expectAnswered } from "./expect-answered.ts";
import { servePanel, type PanelPerson, type PanelServer, type PanelServerOptions } from "./serve-panel.ts";

export interface Opened extends Omit<BrowserContextOptions, "viewport"> {
  size?: { width: number; height: number };
  /** The test lets requests fail, or requests pages of other machines: both count as trouble on other pages. */
  hasTrouble?: boolean;
}

export interface PanelScene {
  panel: PanelServer;
  browser: Browser;
  /** A page in a new browser profile, signed in as this person. */
  pageOf(person?: PanelPerson, opened?: Opened): Promise<Page>;
}

/**
 * Starts both before the file's first test, with what `options` returns then. After each test its pages are closed; it fails if one logged an
 * error or called another machine, or if a call had no answer.
 */
export function createPanelScene(options: PanelServerOptions | (() => PanelServerOptions) = {}): PanelScene {
  const watched: PageWatch[] = [];
  const scene = {
    async pageOf(person, { size, hasTrouble = false, ...more } = {}) {
      const context = await scene.panel.contextFor(scene.browser, person, size, more);
      if (!hasTrouble) watched.push(context.watch);
      return context.newPage();
    },
  } as PanelScene;
  beforeAll(async () => {
    const chosen = typeof options === "function" ? options() : options;
    [scene.panel, scene.browser] = await Promise.all([servePanel(chosen), launchBrowser()]);
  });
  afterAll(async () => {
    await scene.browser?.close();
    await scene.panel?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    for (const context of scene.browser.contexts()) await context.close();
    const { visitor } = scene.panel;
    visitor.answers = {};
    visitor.calls = [];
    const trouble = watched.splice(0).flatMap((watch) => watch.trouble());
    expect(trouble, "nothing failed, and no other machine was called").toEqual([]);
    expectAnswered(scene.panel);
  });
  return scene;
}
