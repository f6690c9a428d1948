import { useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useId, useState } from "react";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { loadFrontEndConfig, useFrontEndConfig } from "../../lib/front-end-config.ts";
import { notify } from "../../lib/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { awaitOnline } from "./online-notice.ts";
import { journalKey, workspaceQuery } from "./workspace-queries.ts";

/** Restarts the workspace after asking once. */
export function RestartButton({ className }: { className?: string }) {
  const queries = useQueryClient();
  const reasonId = useId();
  const [isAsking, setIsAsking] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  const restart = useAction(async () => {
    try {
      queries.setQueryData(workspaceQuery.queryKey, await callApi("restartInstance"));
      awaitOnline();
    } catch (error) {
      if (hasCode(error, "instance_operations_off")) void loadFrontEndConfig();
      throw error;
    }
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("workspace.restartAsked"));
  });
  return (
    <div className={className}>
      <Button
        tone="plain"
        disabled={!instanceOperations}
        aria-describedby={instanceOperations ? undefined : reasonId}
        pending={restart.pending}
        pendingText={t("workspace.restarting")}
        onClick={() => setIsAsking(true)}
        className="max-sm:w-full"
      >
        <RotateCw className="size-4" aria-hidden="true" />
        {t("workspace.restart")}
      </Button>
      {instanceOperations ? null : (
        <p id={reasonId} className="mt-1.5 max-w-xs text-[0.8125rem] text-ink-soft">
          {t("manage.operationsOff")}
        </p>
      )}
      {restart.error ? <ErrorNotice error={restart.error} title={t("workspace.restartFailed")} className="mt-3" /> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("workspace.restartTitle")}
        confirmLabel={t("workspace.restartConfirm")}
        cancelLabel={t("common.cancel")}
        onConfirm={() => void restart.run()}
      >
        {t("workspace.restartText")}
      </ConfirmDialog>
    </div>
  );
}
