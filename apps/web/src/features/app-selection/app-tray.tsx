import { X } from "lucide-react";
import { useId } from "react";
import { t } from "../sign-up/words.ts";
import { AppIcon } from "./app-icon.tsx";
import type { App } from "./apps-of-nodes.ts";
import { iconUrl } from "./apps-query.ts";

interface AppTrayProps {
  apps: readonly App[];
  /** From the catalogue, for its pictures. */
  version: string;
  chosen: readonly string[];
  onRemove: (name: string) => void;
}

/** The apps chosen so far; one press removes each. It stays in view below the list. */
export function AppTray({ apps, version, chosen, onRemove }: AppTrayProps) {
  const id = useId();
  const byName = new Map(apps.map((app) => [app.name, app]));
  return (
    <div className="mb-3">
      <p id={id} aria-live="polite" className="text-sm font-medium">
        {t("apps.chosen", { count: chosen.length })}
      </p>
      {chosen.length > 0 ? (
        <ul aria-label={t("apps.chosenList")} className="-mx-1 mt-1.5 flex min-h-10 gap-1.5 overflow-x-auto p-1">
          {chosen.map((name) => {
            const app = byName.get(name);
            const shown = app?.displayName ?? name;
            return (
              <li key={name} className="shrink-0">
                <button
                  type="button"
                  onClick={() => onRemove(name)}
                  aria-label={t("apps.remove", { name: shown })}
                  className="flex min-h-8 items-center gap-1.5 rounded-full border border-accent/40 bg-accent-soft py-1 pr-2 pl-2 text-[0.8125rem] font-medium whitespace-nowrap text-accent-strong hover:border-accent"
                >
                  <AppIcon isSmall name={name} displayName={shown} url={app?.iconData ? iconUrl(name, version) : null} />
                  {shown}
                  <X className="size-3.5" aria-hidden="true" />
                </button>
              </li>
            );
          })}
        </ul>
      ) : (
        <p className="mt-1.5 flex min-h-10 items-center text-[0.8125rem] text-ink-soft">{t("apps.chosenNone")}</p>
      )}
    </div>
  );
}
