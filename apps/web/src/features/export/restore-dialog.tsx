import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Backup } from "#contract/backup.ts";
import { fieldMessage } from "#contract/field-words.ts";
import { callApi } from "../../lib/api-client.ts";
import { useMaybeUser } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { t } from "../../words/words.ts";
import { workspaceQuery } from "../workspace/workspace-queries.ts";
import { backupsQuery } from "./backups-query.ts";
import { momentText } from "./size-text.ts";

/** The account's name, typed, replaces all that the workspace holds; a session that a workspace opened is asked for the password on the way. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const name = useMaybeUser()?.username ?? "";
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const queries = useQueryClient();
  const restore = useAction(async () => {
    await callApi("restoreBackup", { params: { id: backup.id }, body: { accountName: typed } });
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
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsWrong(typed !== name);
          if (typed === name) void restore.run();
        }}
        className="mt-4 space-y-4"
      >
        <Notice tone="warning" title={t("exporting.restore.stops")}>
          {t("exporting.restore.kept")}
        </Notice>
        {restore.error ? <ErrorNotice error={restore.error} title={t("exporting.restore.failed")} /> : null}
        <TextField
          label={t("exporting.restore.typeName", { name })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={isWrong && typed !== name ? fieldMessage("account_name.confirmation") : undefined}
        />
        <Button type="submit" tone="danger" pending={restore.pending} pendingText={t("exporting.restore.restoring")} className="w-full">
          {t("exporting.restore.confirm")}
        </Button>
      </form>
    </Dialog>
  );
}
