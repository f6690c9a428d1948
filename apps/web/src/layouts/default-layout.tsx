import { QueryClientProvider } from "@tanstack/react-query";
import { CircleHelp, LayoutDashboard } from "lucide-react";
import type { ReactNode } from "react";
import { Link, NavLink, Outlet } from "react-router";
import { loginPath, paths } from "../lib/paths.ts";
import { queryClient } from "../lib/query-client.ts";
import { likelyUser, useMaybeUser } from "../lib/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Logo } from "../ui/logo.tsx";
import { t } from "../words/words.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Footer } from "./footer.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { ThemeButton } from "./theme-button.tsx";

/** The header knows who is signed in before it shows; open pages show without an answer too. */
export const loader = async () => {
  await likelyUser().catch(() => null);
  return null;
};

const item = "flex min-h-9 items-center gap-2 rounded-lg px-2.5 text-sm font-medium text-ink-soft hover:bg-sunken hover:text-ink";

/** The panel: header, page, footer. */
export function Component() {
  return (
    <QueryClientProvider client={queryClient}>
      <Header />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 sm:px-6 sm:py-8">
        <Outlet />
      </main>
      <Footer />
    </QueryClientProvider>
  );
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
          {user ? <HeaderLink to={paths.dashboard} icon={<LayoutDashboard className="size-4" aria-hidden="true" />} label={t("nav.dashboard")} /> : null}
          <HeaderLink to={paths.help} icon={<CircleHelp className="size-4" aria-hidden="true" />} label={t("nav.help")} />
        </nav>
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

function HeaderLink({ to, icon, label }: { to: string; icon: ReactNode; label: string }) {
  return (
    <NavLink to={to} className={({ isActive }) => classNames(item, isActive && "bg-accent-soft text-accent-strong")}>
      {icon}
      {label}
    </NavLink>
  );
}
