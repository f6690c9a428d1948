import { useEffect, useId, useRef, type Ref } from "react";
import { classNames } from "../../ui/class-names.ts";
import { Notice } from "../../ui/notices/notice.tsx";
import { FieldError } from "../../ui/form/field-frame.tsx";
import { t } from "./words.ts";
import { showTurnstile, type RunningTurnstile } from "./turnstile.ts";
import type { ChallengeControl } from "./use-challenge.ts";
import { TryAgain } from "../../ui/notices/try-again.tsx";

interface ChallengeFieldProps {
  challenge: ChallengeControl;
  error: string | undefined;
  onBlur: () => void;
  ref: Ref<HTMLInputElement>;
}

/** The challenge: a checkbox, or Cloudflare's widget, or nothing if the operator has none. */
export function ChallengeField({ challenge, error, onBlur, ref }: ChallengeFieldProps) {
  const { state, kind } = challenge;
  if (kind === "off") return null;
  if (state === "insecure") {
    return (
      <Notice tone="warning" title={t("challenge.insecureTitle")}>
        {t("challenge.insecureText")}
      </Notice>
    );
  }
  if (state === "failed") {
    return (
      <Notice tone="danger" title={t("challenge.failedTitle")} action={<TryAgain onClick={challenge.retry} />}>
        {t("challenge.failedText")}
      </Notice>
    );
  }
  if (kind === "turnstile") return <Turnstile challenge={challenge} error={error} />;
  return <Checkbox challenge={challenge} error={error} onBlur={onBlur} ref={ref} />;
}

function Checkbox({ challenge, error, onBlur, ref }: ChallengeFieldProps) {
  const { state, isChecked, check } = challenge;
  const id = useId();
  const words = state === "loading" || state === "solving" || state === "solved" ? t(`challenge.${state}`) : t("challenge.hint");
  return (
    <div className={classNames("rounded-lg border bg-sunken px-3 py-2.5", error ? "border-danger" : "border-line")}>
      <div className="flex items-center gap-3">
        <input
          ref={ref}
          id={id}
          type="checkbox"
          name="challenge"
          checked={isChecked}
          onChange={(event) => check(event.target.checked)}
          onBlur={onBlur}
          aria-disabled={state === "loading" || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={classNames(`${id}-state`, error ? `${id}-error` : null)}
          className="size-5 shrink-0 accent-accent"
        />
        <div className="min-w-0">
          <label htmlFor={id} className="block text-sm font-medium">
            {t("challenge.label")}
          </label>
          <p id={`${id}-state`} aria-live="polite" className="text-[0.8125rem] text-ink-soft max-sm:min-h-[2lh]">
            {words}
          </p>
        </div>
      </div>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </div>
  );
}

/** Cloudflare's box, in its own frame. Each round restarts it: a token is valid for one registration. */
function Turnstile({ challenge, error }: { challenge: ChallengeControl; error: string | undefined }) {
  const { siteKey, takeToken, fail, round } = challenge;
  const box = useRef<HTMLDivElement>(null);
  const widget = useRef<RunningTurnstile | null>(null);
  const events = useRef({ takeToken, fail });
  useEffect(() => {
    events.current = { takeToken, fail };
  });
  useEffect(() => {
    if (!box.current || !siteKey) return;
    let isGone = false;
    showTurnstile(box.current, siteKey, {
      onToken: (token) => events.current.takeToken(token),
      onFailure: () => events.current.fail(new Error("Turnstile failed")),
    }).then(
      (running) => (isGone ? running.remove() : (widget.current = running)),
      (cause: unknown) => (isGone ? undefined : events.current.fail(cause)),
    );
    return () => {
      isGone = true;
      widget.current?.remove();
      widget.current = null;
    };
  }, [siteKey]);
  useEffect(() => {
    if (round > 0) widget.current?.reset();
  }, [round]);
  return (
    <div>
      <div ref={box} className="min-h-16" />
      {error ? <FieldError id="challenge-error">{error}</FieldError> : null}
    </div>
  );
}
