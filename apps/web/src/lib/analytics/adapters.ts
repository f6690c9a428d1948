/** A separate chunk, fetched only with a key and a permission. */
import type { FrontEndConfig } from "../front-end-config.ts";
import type { AnalyticsAdapter } from "./events.ts";
import { postHogAdapter } from "./post-hog-adapter.ts";
import { tagManagerAdapter } from "./tag-manager-adapter.ts";

export const createAdapters = ({ postHog, tagManager }: FrontEndConfig["analytics"]): AnalyticsAdapter[] => [
  ...(postHog ? [postHogAdapter(postHog)] : []),
  ...(tagManager ? [tagManagerAdapter(tagManager)] : []),
];
