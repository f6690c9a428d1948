import { RotateCw } from "lucide-react";
import { useId, useState } from "react";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { Button, type ButtonTone } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { useRestart } from "./use-restart.ts";

/** Restarts the workspace after asking once. */
export function RestartButton({ tone = "plain", className }: { tone?: ButtonTone; className?: string }) {
  const reasonId = useId();
  const [isAsking, setIsAsking] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  const restart = useRestart();
  return (
    <div className={className}>
      <Button
        tone={tone}
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
