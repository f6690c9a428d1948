import { useRef, useState } from "react";
import type { Backup, LeftOut } from "#contract/workspaces/backup.ts";
import { ago } from "../../../lib/ago.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { Badge, type BadgeTone } from "../../../ui/marks/badge.tsx";
import { TimeText } from "../../../ui/marks/time-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { isUnderWay } from "../backups-query.ts";
import { useRemoval } from "../use-removal.ts";
import { BackupContents } from "./backup-contents.tsx";
import { DownloadDialog } from "./download-dialog.tsx";
import { useInstance } from "../../workspace/workspace-queries.ts";
import { RestoreDialog } from "../restore/restore-dialog.tsx";
import { countText, momentText, sizeText } from "../size-text.ts";
import { said } from "../../../words/sentences.ts";

const tones: Record<Backup["state"], BadgeTone> = { waiting: "accent", running: "accent", successful: "success", failed: "danger" };

type Asking = "download" | "restore" | "remove" | null;

/** One backup: its kind, its state and its actions. */
export function BackupRow({ backup, canRestore, nowMs }: { backup: Backup; canRestore: boolean; nowMs: number }) {
  const { kind, state, createdAt, size, workflows } = backup;
  const isMade = state === "successful";
  const [asking, setAsking] = useState<Asking>(null);
  const row = useRef<HTMLLIElement>(null);
  const remove = useRemoval(row, {
    call: () => callApi("deleteBackup", { params: { id: backup.id } }),
    goneCode: "backup_not_found",
    done: () => t("exporting.remove.done"),
  });
  const time = momentText(createdAt);
  const life = useInstance()?.life;
  const close = () => setAsking(null);
  return (
    <li ref={row} className="px-5 py-4 outline-offset-[-2px] sm:px-6" aria-label={t("exporting.backups.of", { time })}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <TimeText at={createdAt} className="font-medium">
              {time}
            </TimeText>
            <Badge tone={tones[state]} live={isUnderWay(state)}>
              {t(`exporting.backups.state.${state}`)}
            </Badge>
          </p>
          <p className="mt-1 text-sm text-ink-soft">
            {[
              t(`exporting.backups.kind.${kind}`),
              ago(new Date(createdAt), nowMs),
              isMade && workflows !== null ? countText("workflows", workflows) : null,
              isMade && size !== null ? sizeText(size) : null,
            ]
              .filter(Boolean)
              .join("\u00A0· ")}
          </p>
          <Notes backup={backup} canRestore={canRestore} />
        </div>
        <div className="flex flex-wrap gap-2">
          {isMade ? (
            <>
              {backup.isRestorable && canRestore ? (
                <Button tone="plain" aria-label={t("exporting.restore.label", { time })} onClick={() => setAsking("restore")}>
                  {t("exporting.restore.button")}
                </Button>
              ) : null}
              <Button tone="plain" aria-label={t("exporting.download.label", { time })} onClick={() => setAsking("download")}>
                {t("exporting.download.button")}
              </Button>
            </>
          ) : null}
          {isUnderWay(state) ? null : (
            <Button
              tone="quiet"
              className="max-sm:first:-ml-4"
              pending={remove.pending}
              aria-label={t("exporting.remove.label", { time })}
              onClick={() => setAsking("remove")}
            >
              {t("exporting.remove.button")}
            </Button>
          )}
        </div>
        {isMade ? <BackupContents backup={backup} /> : null}
      </div>
      {remove.error ? <ErrorNotice error={remove.error} title={t("exporting.remove.failed")} className="mt-3" /> : null}
      {asking === "download" ? <DownloadDialog backupId={backup.id} onClose={close} /> : null}
      {asking === "restore" ? <RestoreDialog backup={backup} life={life} onClose={close} /> : null}
      <ConfirmDialog
        open={asking === "remove"}
        onOpenChange={(isOpen) => setAsking(isOpen ? "remove" : null)}
        title={t("exporting.remove.title")}
        confirmLabel={t("exporting.remove.confirm")}
        cancelLabel={t("common.cancel")}
        deletes
        onConfirm={() => void remove.run()}
      >
        {t("exporting.remove.text", { time })}
      </ConfirmDialog>
    </li>
  );
}

/** What an owner must know of it without asking. */
function Notes({ backup, canRestore }: { backup: Backup; canRestore: boolean }) {
  const { state, leftOut, reason, isRestorable } = backup;
  const lines =
    state === "successful"
      ? [
          leftOut && leftOut.total > 0 ? leftOutText(leftOut) : null,
          !isRestorable && canRestore ? t(backup.isOfThisWorkspace ? "exporting.backups.newer" : "exporting.backups.otherWorkspace") : null,
        ]
      : [
          state === "failed"
            ? reason && said(reason)
            : reason
              ? t("exporting.backups.retrying", { reason: said(reason) })
              : t("exporting.backups.inProgress"),
        ];
  return lines.filter(Boolean).map((line) => (
    <p key={line} className="mt-0.5 text-sm text-ink-soft [overflow-wrap:anywhere]">
      {line}
    </p>
  ));
}

const mostNamed = 3;

function leftOutText({ total, names }: LeftOut): string {
  const named = names
    .slice(0, mostNamed)
    .map(({ name, why }) => t("exporting.backups.leftOutName", { name, why: t(`exporting.backups.leftOutWhy.${why}`) }));
  return t("exporting.backups.leftOut", { total, names: `${named.join(", ")}${total > named.length ? " …" : ""}` });
}
