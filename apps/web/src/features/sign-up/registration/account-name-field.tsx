import { Check, X } from "lucide-react";
import { useId, type InputHTMLAttributes, type Ref } from "react";
import { FieldFrame } from "../../../ui/form/field-frame.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { BesideLabel } from "./beside-label.tsx";
import type { NameCheck } from "./use-name-check.ts";
import { t } from "./words.ts";

interface AccountNameFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
  accountName: string;
  /** What follows the account name in the workspace's URL. */
  workspaceHost: string;
  nameCheck: NameCheck;
  error: string | undefined;
  onTake: (name: string) => void;
}

/** The account name, typed into the URL that it becomes part of; the label's line says whether it is free. */
export function AccountNameField({ accountName, workspaceHost, nameCheck, error, onTake, ref, ...input }: AccountNameFieldProps) {
  const address = `${accountName || t("register.addressPlaceholder")}.${workspaceHost}`;
  const id = useId();
  return (
    <BesideLabel id={id} words={<NameState nameCheck={nameCheck} address={address} />}>
      <FieldFrame
        label={t("register.accountName")}
        error={error}
        hint={
          nameCheck.instead ? (
            <button type="button" onClick={() => onTake(nameCheck.instead!)} className="link min-h-6 text-left font-medium">
              {t("nameCheck.instead", { name: nameCheck.instead })}
            </button>
          ) : undefined
        }
      >
        {({ "aria-describedby": describedBy, ...control }) => (
          <div
            className={classNames(
              "flex h-10 overflow-hidden rounded-lg border bg-surface has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-accent",
              error ? "border-danger" : "border-line-strong",
            )}
          >
            <input
              {...input}
              {...control}
              ref={ref}
              aria-describedby={classNames(id, describedBy)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={t("register.addressPlaceholder")}
              className="min-w-0 flex-1 bg-transparent pl-3 text-base text-ink outline-none placeholder:text-ink-soft sm:text-[0.9375rem]"
            />
            <span
              title={address}
              className="grid max-w-[55%] items-center border-l border-line bg-sunken px-3 text-sm text-ink-soft"
              aria-hidden="true"
            >
              <span className="truncate">.{workspaceHost}</span>
            </span>
          </div>
        )}
      </FieldFrame>
    </BesideLabel>
  );
}

/** Read out with the field; only the state itself is read out when it changes, as the address would be with each letter. */
function NameState({ nameCheck: { is }, address }: { nameCheck: NameCheck; address: string }) {
  return (
    <>
      <span className="sr-only">{t("register.address", { address })}</span>
      <span aria-live="polite">
        {is === "checking" ? t("nameCheck.checking") : null}
        {is === "free" ? (
          <span className="inline-flex items-center gap-1 font-medium text-success">
            <Check className="size-3.5" strokeWidth={3} aria-hidden="true" />
            {t("nameCheck.free")}
          </span>
        ) : null}
        {is === "taken" ? (
          <span className="inline-flex items-center gap-1 font-medium text-danger">
            <X className="size-3.5" strokeWidth={3} aria-hidden="true" />
            {t("nameCheck.taken")}
          </span>
        ) : null}
      </span>
    </>
  );
}
