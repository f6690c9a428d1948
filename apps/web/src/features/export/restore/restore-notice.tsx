import type { Restore } from "#contract/workspaces/backup.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { said } from "../../../words/sentences.ts";

/** For a day, an owner who returns sees the outcome. */
const toldMs = 24 * 3_600_000;

/** The state of the newest restore. */
export function RestoreNotice({ restore }: { restore: Restore | null }) {
  const now = useNow(60_000);
  if (!restore) return null;
  if (!restore.finishedAt) {
    return (
      <Notice tone={restore.reason ? "warning" : "info"} title={t("exporting.restore.underWayTitle")}>
        {restore.reason ? said(restore.reason) : t("exporting.restore.underWay")}
      </Notice>
    );
  }
  if (now - Date.parse(restore.finishedAt) > toldMs) return null;
  const reason = said(restore.reason ?? "");
  return restore.state === "successful" ? (
    <Notice tone="success" title={t("exporting.restore.doneTitle")}>
      {t("exporting.restore.done")}
    </Notice>
  ) : (
    <Notice tone="danger" title={t(restore.isInPlace ? "exporting.restore.notStartedTitle" : "exporting.restore.notDoneTitle")}>
      {restore.isInPlace ? reason : t("exporting.restore.notDone", { reason })}
    </Notice>
  );
}
