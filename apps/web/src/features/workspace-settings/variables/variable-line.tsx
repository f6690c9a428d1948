import { Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { t } from "./words.ts";

export type VariableMark = "new" | "changed" | "removed" | "refused";

interface VariableLineProps {
  name: string;
  /** Null: not shown. */
  value: string | null;
  mark?: VariableMark | null;
  /** The buttons at its end. */
  children: ReactNode;
}

const tones = { new: "accent", changed: "accent", removed: "plain", refused: "bad" } as const;

/** A variable in one line. */
export function VariableLine({ name, value, mark = null, children }: VariableLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm sm:flex-nowrap">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-mono text-[0.8125rem] font-medium [overflow-wrap:anywhere]">
          <span className={mark === "removed" ? "text-ink-soft line-through" : undefined}>{name || t("variables.new")}</span>
          {mark ? (
            <StateMark tone={tones[mark]} className="font-sans">
              {t(`variables.marks.${mark}`)}
            </StateMark>
          ) : null}
        </p>
        {mark === "removed" ? null : (
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
