/** Light or dark: the system's setting until the user chooses. `index.html` applies the choice before the first paint. */
import { createStore, useStore } from "../store.ts";
import { localValues } from "./stored-value.ts";

type Theme = "light" | "dark";
type ThemeChoice = Theme | "system";

const themeKey = "slipway.theme";
const choices: readonly ThemeChoice[] = ["system", "light", "dark"];

const readChoice = (): ThemeChoice => choices.find((choice) => choice === localValues.read(themeKey)) ?? "system";

const choice = createStore<ThemeChoice | undefined>(undefined);

/** Applies a choice and stores it for the next visit. */
export function chooseTheme(next: ThemeChoice): void {
  if (next === "system") {
    delete document.documentElement.dataset["theme"];
    localValues.remove(themeKey);
  } else {
    document.documentElement.dataset["theme"] = next;
    localValues.write(themeKey, next);
  }
  choice.set(next);
}

/** The choice after this one: system, light, dark, and then system again. */
export const nextTheme = (current: ThemeChoice): ThemeChoice => choices[(choices.indexOf(current) + 1) % choices.length] ?? "system";

/** The current choice, kept current. */
export function useThemeChoice(): ThemeChoice {
  return useStore(choice) ?? readChoice();
}
