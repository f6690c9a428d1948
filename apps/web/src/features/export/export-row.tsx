import type { WorkspaceExport } from "#contract/workspaces/backup.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { Badge, type BadgeTone } from "../../ui/marks/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { isUnderWay } from "./backups-query.ts";
import { countText, dayText, momentText, sizeText } from "./size-text.ts";
import { said } from "../../words/sentences.ts";

const tones: Record<WorkspaceExport["state"], BadgeTone> = { waiting: "accent", running: "accent", ready: "success", failed: "danger" };

/** One export: its state and its file. */
export function ExportRow({ made }: { made: WorkspaceExport }) {
  const { id, state, createdAt } = made;
  const time = momentText(createdAt);
  const download = useAction(async () => {
    const { url } = await callApi("exportDownloadLink", { params: { id } });
    window.location.assign(url);
    notify("info", t("exporting.download.begun"));
  });
  return (
    <li className="px-4 py-3" aria-label={t("exporting.take.of", { time })}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-sm font-medium">{time}</span>
            <Badge tone={tones[state]} live={isUnderWay(state)}>
              {t(`exporting.take.state.${state}`)}
            </Badge>
          </p>
          <p className="mt-0.5 text-sm text-ink-soft [overflow-wrap:anywhere]">{noteOf(made)}</p>
        </div>
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
      </div>
      {download.error ? <ErrorNotice error={download.error} title={t("exporting.download.failed")} className="mt-3" /> : null}
    </li>
  );
}

function noteOf({ state, reason, workflows, credentials, withCredentials, size, keptUntil }: WorkspaceExport): string {
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
  return [counted, size === null ? null : sizeText(size), t("exporting.backups.keptUntil", { date: dayText(keptUntil) })]
    .filter(Boolean)
    .join(" · ");
}
