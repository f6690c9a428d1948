import { Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { t } from "./words.ts";

interface VariableLineProps {
  name: string;
  /** Null: not shown. */
  value: string | null;
  /** How it differs from what is saved. */
  mark?: ReactNode;
  isRemoved?: boolean;
  /** The buttons at its end. */
  children: ReactNode;
}

/** A variable in one line. */
export function VariableLine({ name, value, mark, isRemoved = false, children }: VariableLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm sm:flex-nowrap">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-mono text-[0.8125rem] font-medium [overflow-wrap:anywhere]">
          <span className={isRemoved ? "text-ink-soft line-through" : undefined}>{name || t("variables.new")}</span>
          {mark}
        </p>
        {isRemoved ? null : (
          <p className="mt-0.5 [overflow-wrap:anywhere] text-ink-soft">
            {value === null ? t("variables.hidden") : value || t("variables.noValue")}
          </p>
        )}
      </div>
      <div className="-mr-2 flex shrink-0 items-center max-sm:-ml-3">{children}</div>
    </div>
  );
}

interface LineButtonsProps {
  name: string;
  disabled?: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** What can be done with a variable. */
export function LineButtons({ name, disabled = false, onEdit, onRemove }: LineButtonsProps) {
  const shown = name || t("variables.new");
  return (
    <>
      <Button tone="quiet" disabled={disabled} onClick={onEdit} aria-label={t("variables.editNamed", { name: shown })} className="px-3">
        <Pencil className="size-4" aria-hidden="true" />
        {t("variables.edit")}
      </Button>
      <Button tone="quiet" disabled={disabled} onClick={onRemove} aria-label={t("variables.removeNamed", { name: shown })} className="px-3">
        <Trash2 className="size-4" aria-hidden="true" />
        {t("variables.remove")}
      </Button>
    </>
  );
}
