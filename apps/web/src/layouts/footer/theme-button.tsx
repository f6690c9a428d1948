import { Monitor, Moon, Sun } from "lucide-react";
import { chooseTheme, nextTheme, useThemeChoice } from "../../lib/browser/theme.ts";
import { t } from "../../words/frame.ts";

const icons = { system: Monitor, light: Sun, dark: Moon };

/** Cycles through the three themes; its label says which one is active and what a press does. */
export function ThemeButton({ className }: { className?: string }) {
  const choice = useThemeChoice();
  const Icon = icons[choice];
  const label = t(`theme.${choice}`);
  return (
    <button type="button" aria-label={label} title={label} onClick={() => chooseTheme(nextTheme(choice))} className={className}>
      <Icon className="size-4" aria-hidden="true" />
    </button>
  );
}
