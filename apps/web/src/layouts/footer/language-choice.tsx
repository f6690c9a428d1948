import { languages, type Language } from "#contract/accounts/language.ts";
import { chooseLanguage } from "../../lib/session/chosen-language.ts";
import { useStore } from "../../lib/store.ts";
import { t } from "../../words/frame.ts";
import { spokenLanguage } from "../../words/spoken.ts";

/** The languages, each by its own name; a choice applies to this browser, and to the signed-in user. */
export function LanguageChoice() {
  const spoken = useStore(spokenLanguage);
  return (
    <label className="flex items-center gap-2">
      <span className="sr-only">{t("language.label")}</span>
      <select
        value={spoken}
        onChange={({ target }) => void chooseLanguage(target.value as Language)}
        className="-ml-1 rounded-md bg-transparent px-1 py-0.5 [&>option]:bg-raised [&>option]:text-ink"
      >
        {languages.map((language) => (
          <option key={language} value={language} lang={language}>
            {t(`language.${language}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
