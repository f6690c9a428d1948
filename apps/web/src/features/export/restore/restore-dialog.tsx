import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Backup } from "#contract/workspaces/backup.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { TypedNameForm } from "../../workspace/typed-name-form.tsx";
import { workspaceQuery } from "../../workspace/workspace-queries.ts";
import { backupsQuery } from "../backups-query.ts";
import { momentText } from "../size-text.ts";

/** Typing the account's name replaces everything in the workspace. A session opened from a workspace also has to enter the password. */
export function RestoreDialog({ backup, life, onClose }: { backup: Backup; life: number | undefined; onClose: () => void }) {
  // The one shown when the dialog opened, even if another has taken its place by the time the name is typed.
  const [meant] = useState(life);
  const queries = useQueryClient();
  const restore = useAction(async (accountName: string) => {
    await callApi("restoreBackup", { params: { id: backup.id }, body: { accountName, ...(meant === undefined ? {} : { life: meant }) } });
    awaitOnline();
    void queries.invalidateQueries({ queryKey: workspaceQuery.queryKey });
    await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
    onClose();
    window.scrollTo({ top: 0 });
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("exporting.restore.title")}
      description={t("exporting.restore.lead", { time: momentText(backup.createdAt) })}
      closeLabel={t("common.close")}
    >
      <TypedNameForm
        action={restore}
        label={(name) => t("exporting.restore.typeName", { name })}
        failed={t("exporting.restore.failed")}
        confirm={t("exporting.restore.confirm")}
        pending={t("exporting.restore.restoring")}
      >
        <Notice tone="warning" title={t("exporting.restore.stops")}>
          {t("exporting.restore.kept")}
        </Notice>
      </TypedNameForm>
    </Dialog>
  );
}
