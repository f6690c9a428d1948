/** The service's settings for the panel. Nothing waits for them: until they are here, and without them, defaults apply. */
import type { RouteAnswer } from "#contract/route.ts";
import { callApi } from "./api-client.ts";
import type { Routes } from "./calls.ts";
import { createStore, useStore } from "./store.ts";

export type FrontEndConfig = RouteAnswer<Routes["frontEndConfig"]>;

const defaults = (): FrontEndConfig => ({
  featureFlags: {},
  engine: "n8n",
  workspaceHost: location.host,
  developmentInbox: false,
  links: { status: "", impressum: "", privacy: "", terms: "" },
});

const config = createStore<FrontEndConfig | undefined>(undefined);

/** Fetches the settings; a failure leaves the defaults, with no feature flags (SPEC §7). */
export async function loadFrontEndConfig(): Promise<void> {
  try {
    config.set(await callApi("frontEndConfig"));
  } catch (cause) {
    console.warn("The panel's settings could not be loaded; defaults are used.", cause);
    config.set(defaults());
  }
}

/** The settings, or the defaults while they are on their way. */
export const useFrontEndConfig = (): FrontEndConfig => useStore(config) ?? defaults();
