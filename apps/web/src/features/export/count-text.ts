import { t } from "./words.ts";

/** So many of a kind, in words. */
export const countText = (kind: "workflows" | "credentials" | "executions", count: number): string =>
  t(`exporting.backups.${kind}`, { count });
