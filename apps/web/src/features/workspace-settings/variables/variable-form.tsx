import { useEffect, useRef, type ClipboardEvent, type FormEvent, type KeyboardEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { PastedVariable } from "./read-env-text.ts";
import type { VariableRow } from "./variable-rows.ts";
import { t } from "./words.ts";

interface VariableFormProps {
  row: VariableRow;
  /** The saved value is secret: an empty field keeps it. */
  isKept: boolean;
  /** Which values are possible, for a setting of the tool. */
  hint: string | undefined;
  errors: { name?: string | undefined; value?: string | undefined };
  /** The tool's settings: reserved names that may be set. */
  settings: readonly string[];
  onChange: (part: Partial<VariableRow>) => void;
  /** Several variables were pasted at once. */
  onPaste: (pasted: readonly PastedVariable[]) => void;
  /** Closes it; what was entered stays. */
  onClose: () => void;
  onRemove: () => void;
}

/** Several lines, of which the first that is no comment sets a variable: a key of several lines does not. */
const isEnvText = (text: string): boolean =>
  /^(?:\s*#.*\n)*\s*(?:export\s+)?[A-Za-z_]\w*\s*=.*\n\s*\S/.test(text.replaceAll(/\r\n?/g, "\n"));

/** A variable being edited in its place in the list. Enter and Escape close it and keep what was entered; saving is separate. */
export function VariableForm({ row, isKept, hint, errors, settings, onChange, onPaste, onClose, onRemove }: VariableFormProps) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isNew = row.of === undefined;
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    if (!isEnvText(text)) return;
    event.preventDefault();
    import("./read-env-text.ts").then(
      ({ readEnvText }) => onPaste(readEnvText(text, settings)),
      // Not lost, if the part that reads it cannot be fetched.
      () => onChange({ value: text }),
    );
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
    <form noValidate onSubmit={close} onKeyDown={closeOnEscape} onPaste={paste} className="py-4">
      <fieldset className="space-y-3">
        <legend className="sr-only">{row.name || t("variables.new")}</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            ref={isNew ? first : undefined}
            label={t("variables.name")}
            value={row.name}
            onChange={({ target }) => onChange({ name: target.value.toUpperCase() })}
            error={errors.name}
            hint={isNew && !errors.name ? t("variables.pasteHint") : undefined}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            ref={isNew ? undefined : first}
            label={t("variables.value")}
            value={row.value ?? ""}
            placeholder={row.value === undefined ? t("variables.keep") : undefined}
            onChange={({ target }) => onChange({ value: target.value === "" && isKept ? undefined : target.value })}
            error={errors.value}
            hint={hint}
            maxLength={4096}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
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
