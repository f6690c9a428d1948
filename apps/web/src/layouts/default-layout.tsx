import { QueryClientProvider } from "@tanstack/react-query";
import { CircleHelp, LayoutDashboard, Settings2 } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { Link, NavLink, Outlet } from "react-router";
import { DeveloperGate } from "../features/developer/developer-gate.tsx";
import { PanelBanner } from "../features/banner/panel-banner.tsx";
import { HeaderPlan } from "../features/billing/upgrade/header-plan.tsx";
import { loginPath, paths } from "../lib/paths.ts";
import { queryClient } from "../lib/api/query-client.ts";
import { likelyUser, useMaybeUser } from "../lib/session/session.ts";
import { whenIdle } from "../lib/browser/when-idle.ts";
import { buttonClass } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Logo } from "../ui/logo.tsx";
import { t } from "../words/frame.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Footer } from "./footer.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { ThemeButton } from "./theme-button.tsx";

/** The header knows who is signed in before it shows; open pages show without an answer too. */
export const loader = async () => {
  await likelyUser().catch(() => null);
  return null;
};

const item =
  "flex min-h-9 items-center gap-2 rounded-lg px-2.5 max-sm:px-1.5 text-sm font-medium text-ink-soft hover:bg-sunken hover:text-ink";

/** The panel: header, page, footer. */
export function Component() {
  useFetchAhead();
  return (
    <QueryClientProvider client={queryClient}>
      <Header />
      <HeaderStrip />
      <PanelBanner className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6" />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 sm:px-6 sm:py-8">
        <Outlet />
      </main>
      <Footer />
      <DeveloperGate />
    </QueryClientProvider>
  );
}

/** Prefetches the pages that the header links to. */
function useFetchAhead(): void {
  useEffect(() => {
    whenIdle(() => import("../pages/dashboard/dashboard-page.tsx"));
    whenIdle(() => import("../pages/manage/manage-page.tsx"));
  }, []);
}

function Header() {
  const user = useMaybeUser();
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4 sm:px-6">
        <Link to={paths.home} aria-label={t("product.home")} className="mr-3 flex rounded-lg max-sm:mr-1">
          <Logo name={t("product.name")} className="max-sm:[&]:text-[0px]" />
        </Link>
        <nav aria-label={t("nav.main")} className="mr-auto flex gap-1">
          {user ? (
            <HeaderLink to={paths.dashboard} icon={<LayoutDashboard className="size-4" aria-hidden="true" />} label={t("nav.dashboard")} />
          ) : null}
          {user ? (
            <HeaderLink to={paths.manage} icon={<Settings2 className="size-4" aria-hidden="true" />} label={t("nav.manage")} />
          ) : null}
          <HeaderLink to={paths.help} icon={<CircleHelp className="size-4" aria-hidden="true" />} label={t("nav.help")} />
        </nav>
        {user?.account.isSetup ? <HeaderPlan user={user} /> : null}
        <ThemeButton className={item} />
        {user ? (
          <>
            <AccountMenu user={user} className={item} />
            <SignOutButton className={item} />
          </>
        ) : (
          <Link to={loginPath()} className={buttonClass("plain")}>
            {t("nav.signIn")}
          </Link>
        )}
      </div>
    </header>
  );
}

/** What the header has no room for on narrow screens. */
function HeaderStrip() {
  const user = useMaybeUser();
  return user?.account.isSetup ? <HeaderPlan user={user} isStrip /> : null;
}

function HeaderLink({ to, icon, label }: { to: string; icon: ReactNode; label: string }) {
  return (
    <NavLink to={to} className={({ isActive }) => classNames(item, isActive && "bg-accent-soft text-accent-strong")}>
      <span className="max-sm:hidden max-[24rem]:block">{icon}</span>
      {/* On the narrowest screens there is room for signs only. */}
      <span className="max-[24rem]:sr-only">{label}</span>
    </NavLink>
  );
}
