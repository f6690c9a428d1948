import { ArrowLeft, UserPlus } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { paths } from "../../lib/paths.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { StepActions } from "../sign-up/journey/step-actions.tsx";
import { t as stepText } from "../sign-up/words.ts";
import { t } from "./words.ts";
import { AddressInput } from "./address-input.tsx";
import { useInviteForm } from "./use-invite-form.ts";

interface InviteFormProps {
  onSaved: () => Promise<void>;
  /** Whether it is the next step of the sign-up, and optional. */
  isStep: boolean;
  /** Whether people were just invited: then the button to continue comes first. */
  isSaved?: boolean;
  /** Where else to go, if it is not part of the sign-up. */
  beside: ReactNode;
}

/** Collects addresses and invites them all. */
export function InviteForm({ onSaved, isStep, isSaved = false, beside }: InviteFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const form = useInviteForm(onSaved, () => input.current?.focus());
  const count = form.addresses.filter(({ problem }) => problem === undefined).length;
  const submit = (
    <Button type="submit" tone={isSaved ? "plain" : "primary"} pending={form.save.pending} pendingText={t("invitations.saving")}>
      <UserPlus className="size-4" aria-hidden="true" />
      {count > 0 ? t("invitations.submitWith", { count }) : t("invitations.submit")}
    </Button>
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <AddressInput form={form} ref={input} />
      {form.save.error ? <ErrorNotice error={form.save.error} title={t("invitations.saveFailed")} className="mt-4" /> : null}
      <div className="mt-5">
        {isStep ? (
          <StepActions step="invite">
            <ButtonLink to={paths.apps} tone="plain">
              <ArrowLeft className="size-4" aria-hidden="true" />
              <span className="max-sm:sr-only">{stepText("survey.back")}</span>
            </ButtonLink>
            {submit}
          </StepActions>
        ) : (
          <div className="flex flex-wrap gap-2">
            {submit}
            {beside}
          </div>
        )}
      </div>
    </form>
  );
}
