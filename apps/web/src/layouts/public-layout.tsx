import { Check } from "lucide-react";
import { Link, Outlet, useLocation } from "react-router";
import { PanelBanner } from "../features/banner/panel-banner.tsx";
import { useFrontEndConfig } from "../lib/front-end-config.ts";
import { paths } from "../lib/paths.ts";
import { useMaybeUser } from "../lib/session/session.ts";
import { Logo } from "../ui/logo.tsx";
import { t } from "../words/frame.ts";
import { Backdrop } from "./backdrop.tsx";
import { ProductPicture } from "./product/product-picture.tsx";
import { Footer } from "./footer/footer.tsx";
import { SignOutButton } from "./account/sign-out-button.tsx";
import { ThemeButton } from "./footer/theme-button.tsx";

const headerItem = "rounded-lg px-2.5 py-2 text-sm font-medium text-deep-soft hover:bg-white/10 hover:text-deep-ink";

/** Pages before there is a workspace, on the dark backdrop. */
export function PublicLayout() {
  const { engine } = useFrontEndConfig();
  return (
    <div className="deep relative isolate flex flex-1 flex-col overflow-hidden">
      <Backdrop />
      <PublicHeader />
      <PanelBanner className="mx-auto w-full max-w-6xl px-4 sm:px-6" />
      <div className="mx-auto grid w-full max-w-6xl flex-1 items-center gap-x-12 px-4 pt-4 pb-12 sm:px-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,28rem)]">
        <Pitch />
        <main id="main" tabIndex={-1} className="mx-auto w-full max-w-md lg:max-w-none">
          {/* If there is no room for the pitch. */}
          <p className="mb-4 text-center font-medium text-deep-soft lg:hidden">{t(`pitch.title.${engine}`)}</p>
          <div className="rounded-2xl border border-white/10 bg-surface text-ink shadow-pop [--focus:var(--color-accent)]">
            <Outlet />
          </div>
        </main>
      </div>
      <Footer isDeep />
    </div>
  );
}

function PublicHeader() {
  const { pathname } = useLocation();
  const user = useMaybeUser();
  return (
    <header className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-2 gap-y-1 px-4 py-4 sm:px-6">
      <Link to={paths.home} aria-label={t("product.home")} className="mr-auto flex rounded-lg">
        <Logo name={t("product.name")} />
      </Link>
      {pathname !== paths.login && !user ? (
        <p className="text-sm text-deep-soft max-sm:order-last max-sm:w-full">
          {t("nav.haveAccount")}{" "}
          <Link to={paths.login} className="rounded-sm font-medium text-deep-ink underline underline-offset-4">
            {t("nav.logIn")}
          </Link>
        </p>
      ) : null}
      <Link to={paths.help} className={headerItem}>
        {t("nav.help")}
      </Link>
      <ThemeButton className={headerItem} />
      {user ? <SignOutButton className={headerItem} /> : null}
    </header>
  );
}

/** The product's pitch; on small screens the form comes first, and alone. */
function Pitch() {
  const { engine } = useFrontEndConfig();
  return (
    <aside aria-label={t("pitch.label")} className="min-w-0 max-lg:hidden">
      <p className="max-w-lg text-4xl leading-tight font-semibold tracking-tight text-balance">{t(`pitch.title.${engine}`)}</p>
      <p className="mt-3 max-w-lg text-lg text-deep-soft">{t("pitch.text")}</p>
      <ul className="mt-5 space-y-2 text-sm">
        {[t("pitch.first"), t("pitch.second"), t("pitch.third")].map((point) => (
          <li key={point} className="flex gap-3">
            <Check className="mt-0.5 size-4 shrink-0 text-deep-accent" strokeWidth={2.5} aria-hidden="true" />
            {point}
          </li>
        ))}
      </ul>
      <ProductPicture className="mt-8" />
    </aside>
  );
}
