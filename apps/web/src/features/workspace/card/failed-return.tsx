import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { said } from "../../../words/sentences.ts";
import { backupsQuery } from "../../export/backups-query.ts";
import { useInstance } from "../workspace-queries.ts";
import { RestoreDialog } from "../../export/restore/restore-dialog.tsx";
import { t } from "./words.ts";

/** What helps one that waits for its last backup; the reason comes from the service. */
export const WaitingReturn = () => t("noWorkspace.waits");

/**
 * A workspace that runs without its last backup: an operator gave the backup up, or a later restore of it failed. Shown until a restore
 * succeeds or that backup is gone. One that still waits for it is offline, which `state-notices.tsx` explains.
 */
export function FailedReturn() {
  const { data } = useInfiniteQuery(backupsQuery);
  const [isOpen, setIsOpen] = useState(false);
  const instance = useInstance();
  const failed = data?.restore?.state === "failed" ? data.restore : null;
  const backup =
    failed && data?.backups.find(({ id, kind, isRestorable }) => id === failed.backupId && kind === "before-deletion" && isRestorable);
  if (!failed || !backup) return null;
  return (
    <>
      <Notice
        tone="danger"
        title={t("noWorkspace.failed")}
        action={
          <Button tone="plain" onClick={() => setIsOpen(true)}>
            {t("noWorkspace.again")}
          </Button>
        }
      >
        {t("noWorkspace.failedText", { reason: said(failed.reason ?? "") })}
      </Notice>
      {isOpen ? <RestoreDialog backup={backup} life={instance?.life} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
