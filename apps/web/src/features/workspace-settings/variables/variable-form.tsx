import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";
import type { FieldCode } from "#contract/api/field-words.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { isEnvText } from "./env-text.ts";
import type { VariableRow } from "./variable-rows.ts";
import { t } from "./words.ts";

interface VariableFormProps {
  row: VariableRow;
  /** The saved value is secret: an empty field keeps it. */
  isKept: boolean;
  /** Why the last paste was refused. */
  notice: ReactNode;
  /** Which values are possible, for a setting of the tool. */
  hint: string | undefined;
  errors: { name?: string | undefined; value?: string | undefined };
  onChange: (part: Partial<VariableRow>) => void;
  /** Text of a `.env` file was pasted. */
  onPaste: (text: string) => void;
  /** Closes it; what was entered stays. */
  onClose: () => void;
  onRemove: () => void;
}

/** A variable being edited in its place in the list. Enter and Escape close it and keep what was entered; saving is separate. */
export function VariableForm({ row, isKept, notice, hint, errors, onChange, onPaste, onClose, onRemove }: VariableFormProps) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A form that a paste opens does not take the cursor from where the user types.
    if (!document.activeElement?.matches("input")) first.current?.focus();
  }, []);
  const isNew = row.of === undefined;
  const [refusal, setRefusal] = useState<FieldCode>();
  const paste = (event: ClipboardEvent<HTMLInputElement>, isForName: boolean) => {
    const text = event.clipboardData.getData("text");
    const isText = isEnvText(text, isForName);
    // The field itself would leave out the line breaks, and a private key without them is another one.
    const cannotBeValue = !isText && !isForName && /[\r\n]/.test(text.trim());
    if (isText || cannotBeValue) event.preventDefault();
    if (isText) onPaste(text);
    if (cannotBeValue) setRefusal("variable.value");
  };
  const rename = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const cursor = target.selectionStart;
    flushSync(() => onChange({ name: target.value.toUpperCase() }));
    // Another text than the one typed would put it at the end.
    target.setSelectionRange(cursor, cursor);
  };
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setRefusal(undefined);
    onChange({ value: target.value === "" && isKept ? undefined : target.value });
  };
  const close = (event: FormEvent) => {
    event.preventDefault();
    onClose();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in any of its fields closes it
    <form noValidate onSubmit={close} onKeyDown={closeOnEscape} className="py-4">
      <fieldset className="space-y-3">
        <legend className="sr-only">{row.name || t("variables.new")}</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            ref={isNew ? first : undefined}
            label={t("variables.name")}
            onPaste={(event) => paste(event, true)}
            value={row.name}
            onChange={rename}
            error={errors.name}
            hint={isNew && !errors.name ? t("variables.pasteHint") : undefined}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            ref={isNew ? undefined : first}
            label={t("variables.value")}
            onPaste={(event) => paste(event, false)}
            value={row.value ?? ""}
            placeholder={row.value === undefined ? t("variables.keep") : undefined}
            onChange={change}
            error={refusal ? fieldMessage(refusal) : errors.value}
            hint={hint}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        {notice}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CheckboxField
            label={t("variables.secret")}
            checked={row.isSecret}
            onChange={({ target }) => onChange({ isSecret: target.checked })}
          />
          <div className="flex gap-2">
            <Button tone="quiet" onClick={onRemove}>
              {t("variables.remove")}
            </Button>
            <Button type="submit" tone="plain">
              {t("variables.done")}
            </Button>
          </div>
        </div>
      </fieldset>
    </form>
  );
}
