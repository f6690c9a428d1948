import { useRef, useState } from "react";
import type { WorkspaceExport } from "#contract/workspaces/backup.ts";
import { fromNow } from "../../lib/ago.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { Badge, type BadgeTone } from "../../ui/marks/badge.tsx";
import { TimeText } from "../../ui/marks/time-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { isUnderWay } from "./backups-query.ts";
import { useRemoval } from "./use-removal.ts";
import { countText, dayText, momentText, sizeText } from "./size-text.ts";
import { said } from "../../words/sentences.ts";

const tones: Record<WorkspaceExport["state"], BadgeTone> = { waiting: "accent", running: "accent", ready: "success", failed: "danger" };

/** One export: its state and its file. */
export function ExportRow({ made, nowMs }: { made: WorkspaceExport; nowMs: number }) {
  const { id, state, createdAt } = made;
  const time = momentText(createdAt);
  const row = useRef<HTMLLIElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const download = useAction(async () => {
    const { url } = await callApi("exportDownloadLink", { params: { id } });
    window.location.assign(url);
    notify("info", t("exporting.download.begun"));
  });
  const remove = useRemoval(row, {
    call: () => callApi("deleteExport", { params: { id } }),
    goneCode: "export_not_found",
    done: () => t("exporting.take.remove.done"),
  });
  return (
    <li ref={row} className="px-4 py-3 outline-offset-[-2px]" aria-label={t("exporting.take.of", { time })}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <TimeText at={createdAt} className="text-sm font-medium">
              {time}
            </TimeText>
            <Badge tone={tones[state]} live={isUnderWay(state)}>
              {t(`exporting.take.state.${state}`)}
            </Badge>
          </p>
          <p className="mt-0.5 text-sm text-ink-soft [overflow-wrap:anywhere]">{noteOf(made, nowMs)}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state === "ready" ? (
            <Button
              tone="plain"
              pending={download.pending}
              pendingText={t("exporting.download.preparing")}
              aria-label={t("exporting.take.download", { time })}
              onClick={() => void download.run()}
            >
              {t("exporting.download.button")}
            </Button>
          ) : null}
          {isUnderWay(state) ? null : (
            <Button
              tone="quiet"
              pending={remove.pending}
              aria-label={t("exporting.take.remove.label", { time })}
              onClick={() => setIsAsking(true)}
            >
              {t("exporting.remove.button")}
            </Button>
          )}
        </div>
      </div>
      {download.error ? <ErrorNotice error={download.error} title={t("exporting.download.failed")} className="mt-3" /> : null}
      {remove.error ? <ErrorNotice error={remove.error} title={t("exporting.take.remove.failed")} className="mt-3" /> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("exporting.take.remove.title")}
        confirmLabel={t("exporting.take.remove.confirm")}
        cancelLabel={t("common.cancel")}
        deletes
        onConfirm={() => void remove.run()}
      >
        {t("exporting.take.remove.text", { time })}
      </ConfirmDialog>
    </li>
  );
}

function noteOf({ state, reason, workflows, credentials, withCredentials, size, keptUntil }: WorkspaceExport, nowMs: number): string {
  if (state === "failed") return said(reason ?? "");
  if (state !== "ready" && reason) return t("exporting.backups.retrying", { reason: said(reason) });
  if (state !== "ready")
    return [
      withCredentials ? t("exporting.take.encrypted") : null,
      workflows ? t("exporting.take.soFar", { count: workflows }) : null,
      t("exporting.take.long"),
    ]
      .filter(Boolean)
      .join(" · ");
  const counted = [countText("workflows", workflows ?? 0), credentials === null ? null : countText("credentials", credentials)]
    .filter(Boolean)
    .join(", ");
  return [
    counted,
    size === null ? null : sizeText(size),
    t("exporting.take.expires", { when: fromNow(new Date(keptUntil), nowMs), date: dayText(keptUntil) }),
  ]
    .filter(Boolean)
    .join(" · ");
}
