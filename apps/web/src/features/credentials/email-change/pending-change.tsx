import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { EmailChange } from "#contract/accounts/credential.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { refreshUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { momentOf } from "../../sessions/session-text.ts";
import { ResendMail } from "../../sign-up/resend-mail.tsx";
import { emailChangeQuery } from "./email-change-query.ts";

/** A pending change of address: where its link was sent, until when that is valid, and the buttons to send another or to withdraw it. */
export function PendingChange({ current, className }: { current: string; className?: string }) {
  const { data, error, refetch } = useQuery(emailChangeQuery);
  const place = useRef<HTMLDivElement>(null);
  useAddressWhenOver(data?.pending);
  // It takes no space, because beside the button it would push it out of line.
  if (!error && !data?.pending) return <div ref={place} tabIndex={-1} className="absolute outline-none" />;
  return (
    <div ref={place} tabIndex={-1} className={className}>
      {data?.pending ? (
        <Waiting
          pending={data.pending}
          current={current}
          // The focused button disappears with the notice.
          onOver={() => place.current?.focus()}
        />
      ) : (
        <ErrorNotice error={error} title={t("account.pending.unknown")} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function Waiting({ pending, current, onOver }: { pending: EmailChange; current: string; onOver: () => void }) {
  const withdraw = useAction(async () => {
    await unlessOver(
      () => callApi("withdrawEmailChange"),
      () => notify("success", t("account.pending.withdrawn", { email: current })),
    );
    onOver();
  });
  const resend = () => unlessOver(() => callApi("resendEmailChange"));
  return (
    <Notice
      tone="info"
      title={t("account.pending.title", { email: pending.email })}
      action={
        <>
          <ResendMail email={pending.email} send={resend} title={t("account.pending.notResent")} />
          <Button
            tone="plain"
            pending={withdraw.pending}
            pendingText={t("account.pending.withdrawing")}
            onClick={() => void withdraw.run()}
          >
            {t("account.pending.withdraw")}
          </Button>
        </>
      }
    >
      <p>{t("account.pending.text", { email: current, time: momentOf(pending.expiresAt) })}</p>
      {withdraw.error ? <ErrorNotice error={withdraw.error} title={t("account.pending.notWithdrawn")} className="mt-3" /> : null}
    </Notice>
  );
}

/**
 * Carries out the action and reloads the pending change. If it was confirmed, withdrawn or forgotten elsewhere, the page says so and shows
 * the current state.
 */
async function unlessOver(act: () => Promise<void>, done?: () => void): Promise<void> {
  try {
    await act();
    done?.();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "email_change_over") throw error;
    notify("info", t("account.pending.over"));
  }
  await queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey });
}

/** A change that is no longer pending may have been confirmed in another window: then the account has another address. */
function useAddressWhenOver(pending: EmailChange | null | undefined): void {
  const waited = useRef(false);
  useEffect(() => {
    if (waited.current && pending === null) void refreshUser().catch(() => null);
    waited.current = Boolean(pending);
  }, [pending]);
}
