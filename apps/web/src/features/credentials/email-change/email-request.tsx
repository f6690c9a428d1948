/** Asks for an address, sends it, and shows the same message whether or not there is an account. */
import { MailCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useLateRules } from "../../../lib/forms/use-late-rules.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { InboxLink } from "../../inbox/inbox-link.tsx";
import { placeFieldErrors } from "../place-field-errors.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";

interface EmailRequestProps {
  label: string;
  submit: string;
  pending: string;
  send: (email: string) => Promise<void>;
  /** What is shown if it could not be sent. */
  failure: (error: unknown) => ReactNode;
  /** What is shown, with the address, after it was sent. */
  sent: (email: string) => string;
}

export function EmailRequest({ label, submit, pending, send, failure, sent }: EmailRequestProps) {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm<{ email: string }>({
    resolver: useLateRules(async () => (await import("../../../lib/forms/credential-rules.ts")).emailRules),
    mode: "onTouched",
    defaultValues: { email: "" },
  });
  const request = useAction(async ({ email }: { email: string }) => {
    try {
      await send(email);
    } catch (error) {
      if (placeFieldErrors(error, ["email"], form.setError)) return;
      throw error;
    }
    setSentTo(email);
  });
  if (sentTo !== undefined) return <Sent email={sentTo} text={sent(sentTo)} again={() => setSentTo(undefined)} />;
  const message = form.formState.errors.email?.message;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(request.run)(event)} className="mt-6 space-y-5">
      {request.error ? failure(request.error) : null}
      <TextField
        {...form.register("email")}
        label={label}
        error={message ? fieldMessage(message) : undefined}
        type="email"
        autoComplete="email"
        spellCheck={false}
      />
      <Button type="submit" pending={request.pending} pendingText={pending} className="w-full">
        {submit}
      </Button>
    </form>
  );
}

function Sent({ email, text, again }: { email: string; text: string; again: () => void }) {
  return (
    <div role="status" className="mt-6">
      <div className="flex gap-3 rounded-lg border border-success/30 bg-success-soft p-3.5 text-sm">
        <MailCheck className="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
        <div>
          <p className="font-medium">{t("forgot.sentTitle")}</p>
          <p className="mt-1 [overflow-wrap:anywhere] text-ink-soft">{text}</p>
        </div>
      </div>
      <p className="mt-4 text-[0.8125rem] text-ink-soft">{t("forgot.sentTips")}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <InboxLink email={email} />
        <Button tone="plain" onClick={again}>
          {t("forgot.again")}
        </Button>
      </div>
    </div>
  );
}
