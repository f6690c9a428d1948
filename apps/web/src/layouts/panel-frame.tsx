import { IsRestoringProvider, QueryClientProvider } from "@tanstack/react-query";
import { CircleHelp, LayoutDashboard, Settings2 } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { Link, NavLink, Outlet } from "react-router";
import { DeveloperGate } from "../features/developer/developer-gate.tsx";
import { PanelBanner } from "../features/banner/panel-banner.tsx";
import { PaletteGate } from "../features/palette/palette-gate.tsx";
import { HeaderPlan } from "../features/billing/upgrade/header-plan.tsx";
import { loginPath, paths } from "../lib/paths.ts";
import { queryClient } from "../lib/api/query-client.ts";
import { loadFrontEndConfig } from "../lib/front-end-config.ts";
import { keepCurrent } from "../lib/session/keep-current.ts";
import { knownUser, likelyUser, refreshUser, useMaybeUser, userOfTheLast } from "../lib/session/session.ts";
import { useIsPainted } from "../lib/first-view/first-paint.ts";
import { whenIdle } from "../lib/first-view/when-idle.ts";
import { loadDashboard, loadSettings } from "../pages/fetched-ahead.ts";
import { buttonClass } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { loadConfirmBox, loadDialogBox } from "../ui/dialog/boxes.ts";
import { Logo } from "../ui/logo.tsx";
import { t } from "../words/frame.ts";
import { AccountMenu } from "./account/account-menu.tsx";
import { Backdrop } from "./backdrop.tsx";
import { Footer } from "./footer/footer.tsx";
import { SignOutButton } from "./account/sign-out-button.tsx";
import { ThemeButton } from "./footer/theme-button.tsx";

/** The header waits until it is known who is signed in; public pages are shown without waiting for that. */
export const loadFrame = async () => {
  await likelyUser().catch(() => null);
  return null;
};

const item = "flex min-h-9 items-center gap-2 rounded-lg px-2.5 max-sm:px-1.5 text-sm font-medium";
const light = `${item} text-ink-soft hover:bg-sunken hover:text-ink`;
const deep = `${item} text-deep-soft hover:bg-white/10 hover:text-deep-ink`;

const loadStateIcon = () => import("../features/workspace/state/state-icon.ts");
/** Fetched once the page is there; until then, and without it, the tab keeps the plain logo. */
const StateIcon = lazy<() => null>(
  () => new Promise((resolve) => whenIdle(() => loadStateIcon().then(resolve, () => resolve({ default: () => null })))),
);

/** The panel: header, page, footer. `isDeep`: on the dark backdrop, like the pages before sign-in; each page there is a card. */
export function PanelFrame({ isDeep = false }: { isDeep?: boolean }) {
  useFetchAhead();
  useEffect(leftOpen, []);
  const isPainted = useIsPainted();
  const isSetup = useMaybeUser()?.account.isSetup ?? false;
  return (
    <QueryClientProvider client={queryClient}>
      {/* Until then, queries are pending and make no calls. */}
      <IsRestoringProvider value={!isPainted}>
        {/* `clip`, not `hidden`: elements that stick to the window's edge must not stick to this box. */}
        <div className={isDeep ? "deep relative isolate flex flex-1 flex-col overflow-clip" : "contents"}>
          {isDeep ? <Backdrop /> : null}
          <Header isDeep={isDeep} />
          {isDeep ? null : <HeaderStrip />}
          <PanelBanner className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6" />
          <main
            id="main"
            tabIndex={-1}
            className={classNames(
              "mx-auto w-full max-w-6xl flex-1 px-4 py-6 sm:px-6 sm:py-8",
              isDeep && "text-ink [--focus:var(--color-accent)]",
            )}
          >
            <Outlet />
          </main>
          <Footer isDeep={isDeep} />
        </div>
        <DeveloperGate />
        <Suspense fallback={null}>{isSetup ? <StateIcon /> : null}</Suspense>
      </IsRestoringProvider>
    </QueryClientProvider>
  );
}

const leftOpen = () =>
  keepCurrent({
    page: document,
    network: window,
    readUser: () => (knownUser() ? refreshUser() : undefined),
    hasReadIn: (ms) => userOfTheLast(ms) !== undefined,
    readConfig: () => void loadFrontEndConfig(),
  });

/** Prefetches the pages that the header links to, and the dialogs that most pages can open. */
function useFetchAhead(): void {
  useEffect(() => {
    whenIdle(loadDashboard);
    whenIdle(loadSettings);
    whenIdle(loadConfirmBox);
    whenIdle(loadDialogBox);
  }, []);
}

function Header({ isDeep }: { isDeep: boolean }) {
  const user = useMaybeUser();
  const look = isDeep ? deep : light;
  return (
    <header className={isDeep ? undefined : "border-b border-line bg-surface"}>
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4 sm:px-6">
        <Link to={paths.home} aria-label={t("product.home")} className="mr-3 flex rounded-lg max-sm:mr-1">
          <Logo name={t("product.name")} className="max-sm:[&]:text-[0px]" />
        </Link>
        <nav aria-label={t("nav.main")} className="mr-auto flex gap-1">
          {user ? <HeaderLink isDeep={isDeep} to={paths.dashboard} icon={LayoutDashboard} label={t("nav.dashboard")} /> : null}
          {user ? <HeaderLink isDeep={isDeep} to={paths.manage} icon={Settings2} label={t("nav.manage")} /> : null}
          <HeaderLink isDeep={isDeep} to={paths.help} icon={CircleHelp} label={t("nav.help")} />
        </nav>
        {user?.account.isSetup && !isDeep ? <HeaderPlan user={user} /> : null}
        <PaletteGate className={look} />
        <ThemeButton className={look} />
        {user ? (
          <>
            <AccountMenu user={user} className={look} />
            <SignOutButton className={look} />
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

/** What does not fit into the header on narrow screens. */
function HeaderStrip() {
  const user = useMaybeUser();
  return user?.account.isSetup ? <HeaderPlan user={user} isStrip /> : null;
}

interface HeaderLinkProps {
  to: string;
  icon: typeof CircleHelp;
  label: string;
  isDeep: boolean;
}

function HeaderLink({ to, icon: Icon, label, isDeep }: HeaderLinkProps) {
  const active = isDeep ? "bg-white/10 text-deep-ink" : "bg-accent-soft text-accent-strong";
  return (
    <NavLink to={to} className={({ isActive }) => classNames(isDeep ? deep : light, isActive && active)}>
      <span className="max-sm:hidden max-[27rem]:block">
        <Icon className="size-4" aria-hidden="true" />
      </span>
      {/* The narrowest screens have room for icons only. */}
      <span className="max-[27rem]:sr-only">{label}</span>
    </NavLink>
  );
}
