import { useState } from "react";
import type { linkWaitsSeconds, resendWaitSeconds } from "#contract/accounts/account.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { useCountdown } from "../../lib/browser/countdown.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { waitWords } from "../../lib/wait-words.ts";
import { Button, type ButtonTone } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./registration/words.ts";

/** The contract's numbers; their types are bound to the contract, so that this chunk does not load the contract's schemas. */
const waitSeconds: typeof resendWaitSeconds = 60;
const linkWaits: typeof linkWaitsSeconds = [60, 60, 300, 600, 1200, 2400, 3600];

interface ResendMailProps {
  /** The recipient. */
  email: string;
  send: () => Promise<void>;
  /** The message if it could not be sent. */
  title: string;
  lead?: string;
  /** The message after it was sent, if the recipient may be unknown. */
  sent?: string;
  /** One has just been sent, to an address that may have no account. */
  isFresh?: boolean;
  tone?: ButtonTone;
}

/** Sends a mail with a link again, at most once a minute, and no sooner than the service would. */
export function ResendMail({ email, send, title, lead, sent, isFresh = false, tone = "plain" }: ResendMailProps) {
  const [sentCount, setSentCount] = useState(1);
  const waitMs = (count: number) => 1000 * (isFresh ? (linkWaits[count - 1] ?? linkWaits.at(-1)!) : waitSeconds);
  const [waitUntilMs, setWaitUntilMs] = useState(() => (isFresh ? Date.now() + waitMs(1) : 0));
  const left = useCountdown(waitUntilMs);
  const resend = useAction(async () => {
    try {
      await send();
    } catch (error) {
      if (error instanceof ApiError && error.retryAfterSeconds) setWaitUntilMs(Date.now() + error.retryAfterSeconds * 1000);
      throw error;
    }
    setSentCount(sentCount + 1);
    setWaitUntilMs(Date.now() + waitMs(sentCount + 1));
    notify("success", sent ?? t("verify.resent", { email }));
  });
  const isTooEarly = resend.error instanceof ApiError && resend.error.code === "too_many_requests";
  return (
    <>
      {resend.error && !isTooEarly ? (
        <ErrorNotice error={resend.error} title={title} {...(lead ? { lead } : {})} className="order-first mb-3 basis-full" />
      ) : null}
      <Button
        tone={tone}
        disabled={left > 0}
        pending={resend.pending}
        pendingText={t("verify.resending")}
        onClick={() => void resend.run()}
      >
        <span className="tabular-nums">{left > 0 ? t("verify.resendIn", { when: waitWords(left) }) : t("verify.resend")}</span>
      </Button>
    </>
  );
}
