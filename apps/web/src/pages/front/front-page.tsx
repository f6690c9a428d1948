import { ArchiveRestore, ArrowRight, HeartPulse, PackageOpen, ShieldCheck } from "lucide-react";
import { Link } from "react-router";
import { PanelBanner } from "../../features/banner/panel-banner.tsx";
import { Backdrop } from "../../layouts/backdrop.tsx";
import { Footer } from "../../layouts/footer/footer.tsx";
import { ProductPicture } from "../../layouts/product/product-picture.tsx";
import { ThemeButton } from "../../layouts/footer/theme-button.tsx";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { spoken } from "../../lib/page.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { FrontPlans } from "./front-plans.tsx";
import { t } from "./words.ts";

const item = "flex min-h-10 items-center rounded-lg px-2.5 text-sm font-medium text-deep-soft hover:bg-white/10 hover:text-deep-ink";
/** A button on the backdrop, which is dark in both themes. */
const bright =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded-lg bg-deep-accent px-4 py-2 text-sm font-semibold whitespace-nowrap text-deep transition-colors hover:bg-white";

/** The product for visitors, if the operator wants a page at `/`. */
export const FrontPage = spoken(function Front() {
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} className="flex-1">
        {/* Up to the window's edge, because the header lies on top of it. */}
        <div className="deep relative isolate -mt-18 overflow-hidden pt-18">
          <Backdrop />
          <PanelBanner className="mx-auto w-full max-w-6xl px-4 sm:px-6" />
          <Hero />
        </div>
        <div className="mx-auto max-w-6xl px-4 sm:px-6">
          <Given />
          <FrontPlans />
          <section className="py-16 text-center">
            <h2 className="text-2xl font-semibold">{t("front.end")}</h2>
            <p className="mt-2 text-ink-soft">{t("front.noCard")}</p>
            <ButtonLink to={paths.register} className="mt-6">
              {t("front.start")}
              <ArrowRight className="size-4" aria-hidden="true" />
            </ButtonLink>
          </section>
        </div>
      </main>
      <Footer />
    </>
  );
});

function Header() {
  return (
    <header className="relative z-10 mx-auto flex min-h-18 w-full max-w-6xl flex-wrap items-center gap-x-1 gap-y-1 px-4 py-2 text-deep-ink [--focus:var(--color-deep-accent)] sm:px-6">
      <Link to={paths.home} aria-label={t("product.home")} className="mr-auto flex rounded-lg">
        <Logo name={t("product.name")} />
      </Link>
      <a href="#plans" className={`${item} max-sm:hidden`}>
        {t("front.plansLink")}
      </a>
      <Link to={paths.help} className={`${item} max-sm:hidden`}>
        {t("nav.help")}
      </Link>
      <ThemeButton className={item} />
      <Link to={paths.login} className={item}>
        {t("nav.signIn")}
      </Link>
      <Link to={paths.register} className={bright}>
        {t("front.startShort")}
      </Link>
    </header>
  );
}

function Hero() {
  const { engine } = useFrontEndConfig();
  return (
    <div className="mx-auto grid w-full max-w-6xl items-center gap-x-12 gap-y-10 px-4 pt-10 pb-16 sm:px-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:py-20">
      <div>
        <h1 className="text-4xl leading-tight font-semibold tracking-tight text-balance sm:text-5xl">{t(`pitch.title.${engine}`)}</h1>
        <p className="mt-4 max-w-lg text-lg text-deep-soft">{t("pitch.text")}</p>
        <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
          <Link to={paths.register} className={bright}>
            {t("front.start")}
            <ArrowRight className="size-4" aria-hidden="true" />
          </Link>
          <p className="text-sm text-deep-soft">{t("front.noCard")}</p>
        </div>
      </div>
      <ProductPicture />
    </div>
  );
}

const given = [
  { name: "own", icon: ShieldCheck },
  { name: "running", icon: HeartPulse },
  { name: "backups", icon: ArchiveRestore },
  { name: "yours", icon: PackageOpen },
] as const;

function Given() {
  return (
    <section aria-label={t("front.givenTitle")} className="grid gap-x-8 gap-y-8 py-16 sm:grid-cols-2 lg:grid-cols-4">
      {given.map(({ name, icon: Icon }) => (
        <div key={name}>
          <Icon className="size-6 text-accent" aria-hidden="true" />
          <h2 className="mt-3 font-semibold">{t(`front.given.${name}.title`)}</h2>
          <p className="mt-1 text-sm text-ink-soft">{t(`front.given.${name}.text`)}</p>
        </div>
      ))}
    </section>
  );
}
