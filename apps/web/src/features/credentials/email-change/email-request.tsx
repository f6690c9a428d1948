/** Asks for an address, sends it, and shows the same message whether or not there is an account. */
import { MailCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import { useFirstFocus } from "../../../lib/forms/use-first-focus.ts";
import { useLateRules } from "../../../lib/forms/use-late-rules.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { InboxLink } from "../../inbox/inbox-link.tsx";
import { ResendMail } from "../../sign-up/resend-mail.tsx";
import { SentTo } from "../../sign-up/sent-to.tsx";
import { placeFieldErrors } from "../place-field-errors.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";

interface EmailRequestProps {
  title: string;
  lead: string;
  /** What happened before, such as a link that did not work. */
  notice?: ReactNode;
  /** The address, if it was already typed elsewhere. */
  typed?: string;
  label: string;
  submit: string;
  pending: string;
  send: (email: string) => Promise<void>;
  /** What is shown if it could not be sent. */
  failure: (error: unknown) => ReactNode;
  /** The title of that. */
  failed: string;
  /** What is shown, below the address, after it was sent. */
  sent: string;
}

/** Once it was sent, the same place shows where to, and lets it be sent again or to a corrected address. */
export function EmailRequest({ title, lead, notice, typed = "", label, submit, pending, send, failure, failed, sent }: EmailRequestProps) {
  const [sentTo, setSentTo] = useState<string>();
  const area = useRef<HTMLFormElement>(null);
  useFirstFocus(area);
  const form = useForm<{ email: string }>({
    resolver: useLateRules(async () => (await import("../../../lib/forms/credential-rules.ts")).emailRules),
    mode: "onTouched",
    defaultValues: { email: typed },
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
  const correct = () => {
    flushSync(() => setSentTo(undefined));
    form.setFocus("email", { shouldSelect: true });
  };
  if (sentTo !== undefined) return <Sent email={sentTo} text={sent} failed={failed} send={() => send(sentTo)} onChange={correct} />;
  const message = form.formState.errors.email?.message;
  return (
    <>
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="mt-1.5 text-ink-soft">{lead}</p>
      {notice}
      <form ref={area} noValidate onSubmit={(event) => void form.handleSubmit(request.run)(event)} className="mt-6 space-y-5">
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
    </>
  );
}

interface SentProps {
  email: string;
  text: string;
  failed: string;
  send: () => Promise<void>;
  onChange: () => void;
}

function Sent({ email, text, failed, send, onChange }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <div className="mb-4 grid size-11 place-items-center rounded-full bg-accent-soft text-accent" aria-hidden="true">
        <MailCheck className="size-5" />
      </div>
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold outline-none">
        {t("forgot.sentTitle")}
      </h1>
      <SentTo email={email} onChange={onChange} />
      <p className="mt-3 text-ink-soft">{text}</p>
      <div className="mt-6 grid gap-2">
        <InboxLink email={email} />
        <ResendMail isFresh email={email} send={send} title={failed} sent={t("forgot.resent")} />
      </div>
      <p className="mt-4 text-[0.8125rem] text-ink-soft">{t("forgot.sentTips")}</p>
    </>
  );
}
