/** The service's settings for the panel. Nothing waits for them: until they are here, and without them, defaults apply. */
import type { RouteAnswer } from "#contract/api/route.ts";
import { lastBackupDays } from "#contract/billing/plans/plan-days.ts";
import { defaultEngine } from "#contract/workspaces/engine-names.ts";
import { anonymousId } from "./browser/anonymous-id.ts";
import { callApi } from "./api/api-client.ts";
import type { Routes } from "./api/calls.ts";
import { firstPage, readMeta } from "./config.ts";
import { sharedValues } from "../words/shared-values.ts";
import { createStore, useStore } from "./store.ts";

export type FrontEndConfig = Omit<RouteAnswer<Routes["frontEndConfig"]>, "now"> & {
  /** How far the service's clock is ahead of this browser's, in milliseconds, even if both are wrong. */
  serviceAheadMs: number;
};

const defaults = (): FrontEndConfig => ({
  featureFlags: {},
  analytics: { postHog: null, tagManager: null },
  errorReports: null,
  engine: defaultEngine,
  n8nLicense: false,
  workspaceMemoryMb: 1024,
  lastBackupDays,
  workspaceHost: location.host,
  developmentInbox: false,
  sandbox: false,
  clockAheadMs: 0,
  serviceAheadMs: 0,
  instanceOperations: true,
  supportEmail: "",
  links: { ...noLinks, ...readMeta<FrontEndConfig["links"]>("slipway-links") },
  ...firstPage(),
});

/** Whether the operator wants a page for visitors at `/`. The page itself contains this, before any call is answered. */
export const hasFrontPage = (): boolean => firstPage().hasFrontPage ?? false;

/** Whether the footer has a line about analytics; the page itself says so as well. */
export const mayAskConsent = (): boolean => firstPage().asksConsent ?? false;

const noLinks: FrontEndConfig["links"] = { status: "", impressum: "", privacy: "", terms: "" };

const config = createStore<FrontEndConfig | undefined>(undefined);
let loads = 0;

/** Fetches the settings; on failure the defaults stay, without feature flags. If two fetches overlap, the later one counts. */
export async function loadFrontEndConfig(): Promise<void> {
  const load = (loads += 1);
  try {
    const { now, ...fetched } = await callApi("frontEndConfig", { query: { anonymousId: anonymousId() } });
    if (load !== loads) return;
    sharedValues.backupDays = fetched.lastBackupDays;
    config.set({ ...fetched, serviceAheadMs: Date.parse(now) - Date.now() });
  } catch (cause) {
    console.warn("The panel's settings could not be loaded; defaults are used.", cause);
    if (load === loads) config.set({ ...(config.get() ?? defaults()), featureFlags: {} });
  }
}

/** The settings; `undefined` while they are being loaded. */
export const frontEndConfig = (): FrontEndConfig | undefined => config.get();

/** Whether the settings are loaded, or could not be. */
export const useHasFrontEndConfig = (): boolean => useStore(config) !== undefined;

export const watchFrontEndConfig = (listener: () => void): (() => void) => config.subscribe(listener);

/** The settings; the defaults while they are being loaded. */
export const useFrontEndConfig = (): FrontEndConfig => useStore(config) ?? defaults();
