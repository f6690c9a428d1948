/** The dialog of ./cancel-section.tsx, fetched while the user reads the page. */
import { useState, type FormEvent, type ReactNode } from "react";
import { deletionAfterEndDays } from "#contract/billing/plans/plan-days.ts";
import type { Subscription } from "#contract/billing/billing.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { Link } from "react-router";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { paths } from "../../../lib/paths.ts";
import { notifyWithUndo } from "../../../lib/notices/undo-notice.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { acceptUser } from "../billing-queries.ts";
import { dayOf } from "../dates.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";
import { t as leavingText } from "./words.ts";
import { keepSubscription } from "./keep-subscription.ts";

interface CancelDialogProps {
  subscription: Subscription;
  accountName: string;
  onClose: () => void;
}

/** Explains what happens when, and requires the account's name before cancelling. */
export default function CancelDialog({ subscription: { status, periodEndsAt }, accountName, onClose }: CancelDialogProps) {
  // A trial, and one whose payments failed, end with days in which the workspace is only stopped.
  const isDeletedAtEnd = status === "active";
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  // One key for all presses of this dialog: it cancels once.
  const [key] = useState(newIdempotencyKey);
  const cancel = useAction(async () => {
    try {
      const { user } = await callApi("cancelSubscription", {
        body: { accountName: typed.trim(), ...(reason.trim() ? { reason: reason.trim() } : {}) },
        key,
      });
      acceptUser(user);
    } catch (error) {
      if (error instanceof ApiError && error.fields.some(({ path }) => path === "accountName")) return setIsWrong(true);
      throw error;
    }
    if (periodEndsAt)
      notifyWithUndo(t("billing.cancel.done", { date: dayOf(periodEndsAt) }), { run: keepSubscription, done: t("billing.cancel.undone") });
    else notify("success", t("billing.cancel.doneNow"));
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== accountName) return setIsWrong(true);
    void cancel.run();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("billing.cancel.dialogTitle")}
      description={t("billing.cancel.dialogText")}
      closeLabel={t("common.close")}
    >
      <ol className="mt-4 space-y-3 border-l-2 border-line pl-4 text-sm">
        <Moment when={t("billing.cancel.today")}>{t("billing.cancel.todayText")}</Moment>
        {periodEndsAt ? (
          <Moment when={dayOf(periodEndsAt)}>{leavingText(isDeletedAtEnd ? "leaving.end" : "leaving.endOther")}</Moment>
        ) : null}
        {isDeletedAtEnd ? null : (
          <Moment when={leavingText("leaving.deletion", { count: deletionAfterEndDays })}>{leavingText("leaving.deletionText")}</Moment>
        )}
        <Moment when={leavingText("leaving.after")}>
          {leavingText("leaving.afterText")}{" "}
          <Link to={paths.export} className="link">
            {t("billing.cancel.export")}
          </Link>
        </Moment>
      </ol>
      <form noValidate onSubmit={submit} className="mt-5 space-y-4">
        {cancel.error ? <ErrorNotice error={cancel.error} title={t("billing.cancel.failed")} /> : null}
        <TextField
          label={t("billing.cancel.type", { name: accountName })}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setIsWrong(false);
          }}
          error={isWrong ? t("billing.cancel.mismatch") : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          label={`${t("billing.cancel.reason")} (${t("common.optional")})`}
          hint={t("billing.cancel.reasonHint")}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={1000}
          autoComplete="off"
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button tone="plain" onClick={onClose}>
            {t("billing.cancel.keep")}
          </Button>
          <Button type="submit" tone="danger" pending={cancel.pending} pendingText={t("billing.cancel.pending")}>
            {t("billing.cancel.submit")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Moment({ when, children }: { when: string; children: ReactNode }) {
  return (
    <li>
      <p className="font-medium">{when}</p>
      <p className="text-ink-soft">{children}</p>
    </li>
  );
}
