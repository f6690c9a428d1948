import { UserPlus } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { AddressInput } from "./address-input.tsx";
import { useInviteForm } from "./use-invite-form.ts";

interface InviteFormProps {
  onSaved: (count: number) => Promise<void>;
  /** Whether people were just invited: then the button to continue comes first. */
  isSaved?: boolean;
  /** Places the fields and the button that sends them. */
  children: (fields: ReactNode, submit: ReactNode) => ReactNode;
}

/** Collects addresses and invites them all. */
export function InviteForm({ onSaved, isSaved = false, children }: InviteFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const form = useInviteForm(onSaved, () => input.current?.focus());
  const count = form.addresses.filter(({ problem }) => problem === undefined).length;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {children(
        <>
          <AddressInput form={form} ref={input} />
          {form.save.error ? <ErrorNotice error={form.save.error} title={t("invitations.saveFailed")} className="mt-4" /> : null}
        </>,
        <Button type="submit" tone={isSaved ? "plain" : "primary"} pending={form.save.pending} pendingText={t("invitations.saving")}>
          <UserPlus className="size-4" aria-hidden="true" />
          {count > 0 ? t("invitations.submitWith", { count }) : t("invitations.submit")}
        </Button>,
      )}
    </form>
  );
}
