import { Globe, Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { Session } from "#contract/accounts/session.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { serviceNowMs } from "../../lib/browser/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { deviceOf, momentOf, usedText } from "./session-text.ts";

/** One session: its browser, how and when it was opened, when it was last used, and the button that ends it. */
export function SessionRow({ session, onEnded }: { session: Session; onEnded: () => Promise<void> }) {
  const { id, isCurrent, openedBy, signedInAt } = session;
  const [isAsking, setIsAsking] = useState(false);
  const [device, time] = [deviceOf(session), momentOf(signedInAt)];
  const end = useAction(async () => {
    try {
      await callApi("endSession", { params: { id } });
    } catch (error) {
      // It has already ended, which is what was wanted.
      if (!hasCode(error, "not_found")) throw error;
    }
    notify("success", t("sessions.ended", { device }));
    await onEnded();
  });
  return (
    <li className="px-5 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <DeviceIcon device={session.device} />
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium">{device}</span>
            {isCurrent ? (
              <span className="rounded-full bg-success-soft px-2 py-0.5 text-xs font-semibold text-success">{t("sessions.current")}</span>
            ) : null}
          </p>
          <p className="mt-0.5 text-sm text-ink-soft">{t(`sessions.opened.${openedBy}`, { time })}</p>
          <p className="text-sm text-ink-soft">{usedText(session, serviceNowMs())}</p>
        </div>
        {isCurrent ? null : (
          <Button
            tone="plain"
            pending={end.pending}
            pendingText={t("sessions.ending")}
            aria-label={t("sessions.endOf", { device, time })}
            onClick={() => setIsAsking(true)}
            className="max-sm:w-full"
          >
            {t("sessions.end")}
          </Button>
        )}
      </div>
      {end.error ? <ErrorNotice error={end.error} title={t("sessions.endFailed")} className="mt-3" /> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("sessions.endTitle")}
        confirmLabel={t("sessions.end")}
        cancelLabel={t("common.cancel")}
        onConfirm={() => void end.run()}
      >
        {t("sessions.endText", { device })}
      </ConfirmDialog>
    </li>
  );
}

function DeviceIcon({ device }: Pick<Session, "device">) {
  const Icon = device === null ? Globe : /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor;
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-sunken text-ink-soft" aria-hidden="true">
      <Icon className="size-5" />
    </span>
  );
}
