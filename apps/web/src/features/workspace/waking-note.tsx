import { useInstance } from "./workspace-queries.ts";
import { t } from "./words.ts";

/** Shown while a sleeping workspace is asked for data: the question wakes it, which takes seconds if it was stopped. */
export function WakingNote() {
  const isAsleep = useInstance()?.asleepSince !== undefined;
  return isAsleep ? <p className="mb-3 text-sm text-ink-soft">{t("workspace.asleep.waking")}</p> : null;
}
