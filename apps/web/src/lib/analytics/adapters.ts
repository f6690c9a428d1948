/** A separate chunk, fetched only with a key and a permission. */
import type { FrontEndConfig } from "../front-end-config.ts";
import type { AnalyticsAdapter } from "./events.ts";
import { postHogAdapter } from "./post-hog-adapter.ts";
import { loadScript } from "../browser/load-script.ts";

export const createAdapters = ({ postHog, tagManager }: FrontEndConfig["analytics"]): AnalyticsAdapter[] => [
  ...(postHog ? [postHogAdapter(postHog)] : []),
  ...(tagManager ? [tagManagerAdapter(tagManager)] : []),
];

/** The tag manager's event follows 250 ms after the navigation. */
const pageDelayMs = 250;

/** Loads the container. Without it the data layer is never read. */
function tagManagerAdapter({ id }: { id: string }): AnalyticsAdapter {
  const layer = ((window as { dataLayer?: object[] }).dataLayer ??= []);
  layer.push({ "gtm.start": Date.now(), event: "gtm.js" });
  loadScript(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(id)}`).catch((cause: unknown) =>
    console.warn("The tag manager could not be loaded.", cause),
  );
  return {
    pageDelayMs,
    identify: (person) => void layer.push({ userId: person?.id ?? null, user: person }),
    page: (path) => void layer.push({ event: "content-view", "content-name": path }),
    track: (name, fields) => void layer.push({ event: name, ...fields }),
  };
}
