/** The panel's analytics: off until the operator set a key and the visitor gave permission, and off again when that is withdrawn. */
import type { User } from "#contract/accounts/account.ts";
import { frontEndConfig, watchFrontEndConfig, type FrontEndConfig } from "../front-end-config.ts";
import { createStore, useStore } from "../store.ts";
import { chooseConsent, currentConsent, watchConsent } from "./consent.ts";
import { createAnalytics } from "./create-analytics.ts";
import type { KnownPerson } from "./events.ts";

export const analytics = createAnalytics();

/** Whether consent has to be requested at all. */
export const isConfigured = ({ analytics: { postHog, tagManager } }: Pick<FrontEndConfig, "analytics">): boolean =>
  postHog !== null || tagManager !== null;

/** What analytics may know of a user. */
export const knownPerson = ({ id, username, fullName, email, confirmed }: User): KnownPerson => ({
  id,
  username,
  name: fullName,
  email,
  confirmed,
});

let connectedTo: FrontEndConfig["analytics"] | null = null;
const connected = createStore(false);

/** Whether events are sent now: they were configured, the visitor allowed them, and the scripts are here. */
export const useIsConnected = (): boolean => useStore(connected);

/** Follows the settings and the permission from now on. */
export function startAnalytics(): void {
  watchFrontEndConfig(() => void connectIfAllowed());
  watchConsent(() => void connectIfAllowed());
  void connectIfAllowed();
}

async function connectIfAllowed(): Promise<void> {
  const config = frontEndConfig();
  if (!config) return;
  if (!isConfigured(config) || currentConsent() !== "granted") {
    connectedTo = null;
    analytics.connect([]);
    return connected.set(false);
  }
  if (connectedTo) return;
  connectedTo = config.analytics;
  const { createAdapters } = await import("./adapters.ts");
  if (connectedTo !== config.analytics) return;
  analytics.connect(createAdapters(config.analytics));
  connected.set(true);
}

/** Withdraws the permission. A script that is already running stays until the page is reloaded. */
export function withdrawConsent(): void {
  const hadTagManager = connectedTo?.tagManager;
  chooseConsent("denied");
  if (hadTagManager) location.reload();
}
