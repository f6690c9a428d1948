import { useState, type ReactNode } from "react";
import { useMaybeUser } from "../../lib/session/session.ts";
import type { Action } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { fieldMessage } from "../../lib/errors/field-message.ts";

interface TypedNameFormProps {
  /** Called with the account's name once it is typed exactly. */
  action: Action<string>;
  /** The field's label; gets the account's name. */
  label: (name: string) => string;
  failed: string;
  confirm: string;
  pending: string;
  /** Between the dialog's introduction and the field. */
  children?: ReactNode;
}

/** Requires typing the account's name before an action that cannot be undone. */
export function TypedNameForm({ action, label, failed, confirm, pending, children }: TypedNameFormProps) {
  const name = useMaybeUser()?.username ?? "";
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsWrong(typed !== name);
        if (typed === name) void action.run(typed);
      }}
      className="mt-4 space-y-4"
    >
      {children}
      {action.error ? <ErrorNotice error={action.error} title={failed} /> : null}
      <TextField
        label={label(name)}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={isWrong && typed !== name ? fieldMessage("account_name.confirmation") : undefined}
      />
      <Button type="submit" tone="danger" pending={action.pending} pendingText={pending} className="w-full">
        {confirm}
      </Button>
    </form>
  );
}
