import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { LogoMark } from "../ui/logo.tsx";
import { t } from "../words/frame.ts";

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <div className="max-w-md text-center">
      <LogoMark className="mx-auto mb-6 size-12 rotate-12" />
      <h1 className="text-2xl font-semibold">{t("notFound.title")}</h1>
      <p className="mt-2 mb-6 text-ink-soft">{t("notFound.text")}</p>
      <ButtonLink to={paths.home}>{t("notFound.home")}</ButtonLink>
    </div>
  );
}
