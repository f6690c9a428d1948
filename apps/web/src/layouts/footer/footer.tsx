import { Link } from "react-router";
import { ConsentButton } from "../../features/consent/consent-gate.tsx";
import { mayAskConsent, useFrontEndConfig, useHasFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../../words/frame.ts";
import { LanguageChoice } from "./language-choice.tsx";

/** The operator's pages, if any, the language, and the development bar outside production. */
export function Footer({ isDeep = false }: { isDeep?: boolean }) {
  const { links, developmentInbox } = useFrontEndConfig();
  const isKnown = useHasFrontEndConfig();
  const shown = [
    { label: t("nav.status"), href: links.status },
    { label: t("nav.impressum"), href: links.impressum },
    { label: t("nav.privacy"), href: links.privacy },
    { label: t("nav.terms"), href: links.terms },
  ].filter((link) => link.href !== "");
  return (
    <footer
      // All other lines are known with the page.
      data-waiting={isKnown || !mayAskConsent() ? undefined : true}
      className={classNames("below-page", isDeep ? "text-deep-soft" : "border-t border-line text-ink-soft")}
    >
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-4 text-[0.8125rem] sm:px-6">
        {shown.length > 0 ? (
          <nav aria-label={t("nav.legal")} className="flex flex-wrap gap-x-5 gap-y-1">
            {shown.map((link) => (
              <a key={link.label} href={link.href} className="rounded-sm underline-offset-4 hover:underline">
                {link.label}
              </a>
            ))}
          </nav>
        ) : null}
        <LanguageChoice />
        <ConsentButton className="rounded-sm underline-offset-4 hover:underline" />
        {developmentInbox ? (
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:ml-auto">
            {t("nav.development")}
            <Link to={paths.developmentInbox} className="rounded-sm underline underline-offset-4">
              {t("nav.developmentInbox")}
            </Link>
            <Link to={paths.experiments} className="rounded-sm underline underline-offset-4">
              {t("nav.experiments")}
            </Link>
          </p>
        ) : null}
      </div>
    </footer>
  );
}
