import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode, type RefObject } from "react";
import type { Invitation } from "#contract/accounts/invitation.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError, hasCode } from "../../lib/api/api-error.ts";
import { useCountdown } from "../../lib/browser/countdown.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { notifyWithUndo } from "../../lib/notices/undo-notice.ts";
import { useAction } from "../../lib/use-action.ts";
import { waitWords } from "../../lib/wait-words.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { focusCard } from "../../ui/focus-card.ts";
import { t } from "./words.ts";
import { invitationsQuery } from "./invitations-query.ts";
import { PersonText } from "./person-text.tsx";
import { moment } from "../../lib/formats.ts";
import { said } from "../../words/sentences.ts";

const looks: Record<Invitation["state"], string> = {
  waiting: "bg-accent-soft text-accent",
  sent: "bg-accent-soft text-accent",
  accepted: "bg-success-soft text-success",
  failed: "bg-danger-soft text-danger",
};

interface InvitationRowProps {
  invitation: Invitation;
  /** When the server said so. */
  asOfMs: number;
  /** As the workspace knows them. */
  name?: string | null | undefined;
  /** Beside the state: what they may do. */
  role?: ReactNode;
  /** When the workspace last saw them, in words. */
  seen?: string | undefined;
}

/** One person: name or address, state, why, and the two things an owner can do. */
export function InvitationRow({ invitation, asOfMs, name, role, seen }: InvitationRowProps) {
  const { email, state } = invitation;
  const [isAsking, setIsAsking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const { resend, revoke } = useInvitationActions(invitation, row);
  const left = useResendWait(invitation, asOfMs, resend.error);
  const isTooEarly = hasCode(resend.error, "too_many_requests");
  return (
    <li ref={row} className="px-5 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <PersonText
          name={name}
          email={email}
          note={[useNote(invitation), seen].filter(Boolean).join(" ")}
          marks={
            <>
              {role && state === "accepted" ? null : (
                <span className={classNames("rounded-full px-2 py-0.5 text-xs font-semibold", looks[state])}>
                  {t(`invitations.state.${state}`)}
                </span>
              )}
              {role}
            </>
          }
        />
        <div className="flex flex-wrap gap-2">
          {state === "sent" || state === "failed" ? (
            <Button
              tone="plain"
              disabled={left > 0}
              pending={resend.pending}
              aria-label={left > 0 ? undefined : t("invitations.resendTo", { email })}
              onClick={() => void resend.run()}
            >
              <span className="tabular-nums">
                {left > 0 ? t("invitations.resendIn", { when: waitWords(left) }) : t("invitations.resend")}
              </span>
            </Button>
          ) : null}
          {state === "accepted" ? null : (
            <Button
              tone="quiet"
              pending={revoke.pending}
              aria-label={t("invitations.revokeFor", { email })}
              onClick={() => setIsAsking(true)}
            >
              {t("invitations.revoke")}
            </Button>
          )}
        </div>
      </div>
      {resend.error && !isTooEarly ? <ErrorNotice error={resend.error} title={t("invitations.resendFailed")} className="mt-3" /> : null}
      {revoke.error ? <ErrorNotice error={revoke.error} title={t("invitations.revokeFailed")} className="mt-3" /> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("invitations.revokeTitle")}
        confirmLabel={t("invitations.revokeConfirm")}
        cancelLabel={t("common.cancel")}
        onConfirm={() => void revoke.run()}
      >
        {t("invitations.revokeText", { email })}
      </ConfirmDialog>
    </li>
  );
}

function useInvitationActions({ id, email, state }: Invitation, row: RefObject<HTMLLIElement | null>) {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: invitationsQuery.queryKey });
  const resend = useAction(async () => {
    await callApi("resendInvitation", { params: { id } });
    notify("success", t("invitations.resent", { email }));
    await reload();
  });
  const revoke = useAction(async () => {
    const focusList = focusCard(row.current);
    try {
      await callApi("revokeInvitation", { params: { id } });
    } catch (error) {
      // They joined a moment ago: the list should show that beside the refusal.
      if (hasCode(error, "invitation_accepted")) void reload();
      // Withdrawn in another tab: what was wanted has happened.
      if (!hasCode(error, "not_found")) throw error;
    }
    notifyWithUndo(t("invitations.revoked", { email }), {
      // Its link is no longer valid: inviting them again means sending another one.
      ...(state === "waiting" ? {} : { label: t("invitations.inviteAgain"), done: t("invitations.saved", { count: 1 }) }),
      async run() {
        await callApi("inviteMembers", { body: { emails: [email] } });
        await reload();
      },
    });
    await reload();
    focusList();
  });
  return { resend, revoke };
}

/** Whole seconds until the mail may be sent again, as the server said, counted from its answer. */
function useResendWait({ resendInSeconds }: Invitation, asOfMs: number, error: unknown): number {
  const refusedSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return useCountdown(asOfMs + Math.max(resendInSeconds, refusedSeconds) * 1000);
}

const timeOf = (at: string | null): string => (at ? moment.format(new Date(at)) : "");

function useNote({ state, reason, sentAt, acceptedAt }: Invitation): string {
  const instance = useMaybeUser()?.account.instance;
  if (state === "waiting") return t(instance?.status === 1 ? "invitations.noteSending" : "invitations.noteWaiting");
  if (state === "sent") return t("invitations.noteSent", { time: timeOf(sentAt) });
  if (state === "accepted") return t("invitations.noteAccepted", { time: timeOf(acceptedAt) });
  return reason ? said(reason) : t("invitations.noteFailed");
}
