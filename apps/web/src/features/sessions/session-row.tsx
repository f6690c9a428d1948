import { Globe, Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { Session } from "#contract/accounts/session.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { TimeText } from "../../ui/marks/time-text.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { deviceOf, momentOf, openedText, usedText } from "./session-text.ts";

interface SessionRowProps {
  session: Session;
  /** By the service's clock. */
  nowMs: number;
  onEnded: () => Promise<void>;
}

/** One session: its browser, when it was last used, how, when and from where it was opened, and the button that ends it. */
export function SessionRow({ session, nowMs, onEnded }: SessionRowProps) {
  const { id, isCurrent, address, signedInAt, lastSeenAt } = session;
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
          <p className="mt-0.5 text-sm text-ink-soft">
            {isCurrent ? usedText(session, nowMs) : <TimeText at={lastSeenAt}>{usedText(session, nowMs)}</TimeText>}
          </p>
          <p className="text-[0.8125rem] text-ink-soft">
            <TimeText at={signedInAt}>{openedText(session, nowMs)}</TimeText>
          </p>
          {address ? <p className="text-[0.8125rem] [overflow-wrap:anywhere] text-ink-soft">{t("sessions.address", { address })}</p> : null}
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
