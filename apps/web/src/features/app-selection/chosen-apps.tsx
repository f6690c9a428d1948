import { X } from "lucide-react";
import { useId } from "react";
import { t } from "../sign-up/words.ts";

interface ChosenAppsProps {
  chosen: readonly string[];
  nameOf: (name: string) => string;
  onRemove: (name: string) => void;
}

/** What was chosen so far, each to be taken back by one press. */
export function ChosenApps({ chosen, nameOf, onRemove }: ChosenAppsProps) {
  const id = useId();
  return (
    <div>
      <p id={id} aria-live="polite" className="text-sm font-medium">
        {t("apps.chosen", { count: chosen.length })}
      </p>
      {chosen.length > 0 ? (
        <ul aria-label={t("apps.chosenList")} className="mt-2 flex max-h-32 flex-wrap gap-1.5 overflow-y-auto p-0.5">
          {chosen.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => onRemove(name)}
                aria-label={t("apps.remove", { name: nameOf(name) })}
                className="flex min-h-8 items-center gap-1.5 rounded-full border border-accent/40 bg-accent-soft py-1 pr-2 pl-3 text-[0.8125rem] font-medium text-accent-strong hover:border-accent"
              >
                {nameOf(name)}
                <X className="size-3.5" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
