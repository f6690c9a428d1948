import { X } from "lucide-react";
import { useId, type ClipboardEvent, type KeyboardEvent, type Ref } from "react";
import { deliveredFeatures } from "#contract/billing/plans/delivered-features.ts";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { classNames } from "../../ui/class-names.ts";
import { FieldError } from "../../ui/form/field-frame.tsx";
import { t } from "./words.ts";
import type { Address } from "./check-addresses.ts";
import type { InviteForm } from "./use-invite-form.ts";

/** A field for several addresses: each becomes a chip that can be corrected or removed, with its problem below. */
export function AddressInput({ form, ref }: { form: InviteForm; ref: Ref<HTMLInputElement> }) {
  const id = useId();
  const bad = form.addresses.filter(({ problem }) => problem);
  const isInvalid = bad.length > 0 || form.listProblem !== undefined || form.excess > 0;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t("invitations.addresses")}
      </label>
      <div
        className={classNames(
          "rounded-lg border bg-surface p-2 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
          isInvalid ? "border-danger" : "border-line-strong",
        )}
      >
        {form.addresses.length > 0 ? <Chips form={form} /> : null}
        <input
          ref={ref}
          id={id}
          // Not "email": browsers take the spaces and commas of a list out of such a field.
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={form.draft}
          placeholder={form.addresses.length > 0 ? undefined : t("invitations.placeholder")}
          aria-invalid={isInvalid || undefined}
          aria-describedby={classNames(`${id}-hint ${id}-room`, isInvalid && `${id}-problems`)}
          onChange={(event) => form.type(event.target.value)}
          onPaste={(event) => paste(event, form)}
          onKeyDown={(event) => press(event, form)}
          className="h-9 w-full bg-transparent px-1 text-base text-ink outline-none placeholder:text-ink-soft sm:text-[0.9375rem]"
        />
      </div>
      <div id={`${id}-problems`} aria-live="polite">
        <Problems id={id} form={form} bad={bad} />
      </div>
      <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-ink-soft">
        {t("invitations.hint")}
      </p>
      {/* Reserves the space before there is text. */}
      <p id={`${id}-room`} className="min-h-[2lh] text-[0.8125rem] text-ink-soft sm:min-h-[1lh]">
        {roomText(form)}
      </p>
      <Sharing />
    </div>
  );
}

function Chips({ form }: { form: InviteForm }) {
  return (
    <ul aria-label={t("invitations.chosen")} className="mb-1 flex flex-wrap gap-1.5">
      {form.addresses.map(({ email, problem }) => (
        <li
          key={email}
          className={classNames(
            "flex max-w-full items-center rounded-md text-sm",
            problem ? "bg-danger-soft text-danger" : "bg-accent-soft text-ink",
          )}
        >
          <button
            type="button"
            aria-label={t("invitations.edit", { email })}
            onClick={() => form.edit(email)}
            className="min-h-7 min-w-0 rounded-md py-0.5 pl-2 text-left [overflow-wrap:anywhere]"
          >
            {email}
          </button>
          <button
            type="button"
            aria-label={t("invitations.remove", { email })}
            onClick={() => form.remove(email)}
            className="grid size-7 shrink-0 place-items-center rounded-md hover:opacity-70"
          >
            <X className="size-3.5" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Problems({ id, form, bad }: { id: string; form: InviteForm; bad: readonly Address[] }) {
  return (
    <>
      {form.listProblem ? <FieldError id={`${id}-list`}>{form.listProblem}</FieldError> : null}
      {form.excess > 0 ? <FieldError id={`${id}-excess`}>{t("invitations.tooMany", { count: form.excess })}</FieldError> : null}
      {bad.length > 0 ? (
        <ul aria-label={t("invitations.problems")} className="[overflow-wrap:anywhere]">
          {bad.map(({ email, problem }, index) => (
            <li key={email}>
              <FieldError id={`${id}-${index}`}>{t("invitations.problem", { email, message: problem ?? "" })}</FieldError>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** How many more the plan allows; empty while that is unknown or irrelevant. */
function roomText({ room, usersLimit }: InviteForm): string {
  if (room === Infinity) return "";
  return room > 0 ? t("invitations.room", { limit: usersLimit, count: room }) : t("invitations.full", { limit: usersLimit });
}

/** A list is split immediately; a single address stays text, so it can be checked. */
function paste(event: ClipboardEvent<HTMLInputElement>, form: InviteForm): void {
  const text = event.clipboardData.getData("text");
  if (!/[,;<\s]/.test(text.trim())) return;
  event.preventDefault();
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  form.take(value.slice(0, selectionStart ?? value.length) + text + value.slice(selectionEnd ?? value.length));
}

function press(event: KeyboardEvent<HTMLInputElement>, form: InviteForm): void {
  if (event.nativeEvent.isComposing) return;
  const last = form.addresses.at(-1);
  if (event.key === "Enter" && form.draft.trim()) {
    // The first Enter ends the address; Enter in an empty field submits.
    event.preventDefault();
    form.take(form.draft);
  } else if (event.key === "Backspace" && form.draft === "" && last) {
    event.preventDefault();
    form.edit(last.email);
  }
}

/** In a tool with a license, people can share only with that: said before anyone is invited, not discovered afterwards. */
function Sharing() {
  const config = useFrontEndConfig();
  const plan = useMaybeUser()?.account.planSpec;
  const canShare = plan ? deliveredFeatures(plan, config).some((code) => code.startsWith("shared-projects-")) : false;
  if (canShare || !engineTraits[config.engine].license) return null;
  return <p className="mt-1.5 text-[0.8125rem] text-ink-soft">{t("invitations.ownSpace")}</p>;
}
