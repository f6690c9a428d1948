/** The frame of the manage area: its pages side by side, as a column on wide screens and as a row on narrow ones. */
import { Database, CreditCard, Settings2, Users, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { paths } from "../lib/paths.ts";
import { useMaybeUser } from "../lib/session/session.ts";
import { classNames } from "../ui/class-names.ts";
import { t } from "../features/members/words.ts";

interface ManageLink {
  to: string;
  icon: LucideIcon;
  label: string;
}

/** Billing is listed only for accounts that have it; for others the billing page redirects to the workspace. */
const manageLinks = (hasBilling: boolean): ManageLink[] => [
  { to: paths.manage, icon: Settings2, label: t("manageArea.nav.workspace") },
  ...(hasBilling ? [{ to: paths.billing, icon: CreditCard, label: t("manageArea.nav.billing") }] : []),
  { to: paths.export, icon: Database, label: t("manageArea.nav.export") },
  { to: paths.members, icon: Users, label: t("manageArea.nav.members") },
];

export function Component() {
  const hasBilling = Boolean(useMaybeUser()?.account.billing);
  return (
    <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[11rem_minmax(0,1fr)]">
      <nav
        aria-label={t("manageArea.nav.label")}
        className="scroll-hint min-w-0 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:[scrollbar-width:none] sm:max-lg:-mx-6 sm:max-lg:px-6"
      >
        <ul className="flex gap-1 max-lg:w-max max-lg:border-b max-lg:border-line lg:sticky lg:top-6 lg:flex-col">
          {manageLinks(hasBilling).map((link) => (
            <li key={link.to}>
              <NavItem {...link} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}

function NavItem({ to, icon: Icon, label }: ManageLink) {
  const { pathname } = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  const isCurrent = pathname === to || (to === paths.manage && pathname === paths.manageInstance);
  // On a narrow screen the current one may stand outside of the row that is seen.
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [isCurrent]);
  return (
    <Link
      ref={link}
      to={to}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "flex min-h-10 items-center gap-2.5 px-3 text-sm font-medium whitespace-nowrap max-lg:border-b-2 max-lg:rounded-t-lg lg:rounded-lg",
        isCurrent
          ? "text-accent-strong max-lg:border-accent lg:bg-accent-soft"
          : "border-transparent text-ink-soft hover:bg-sunken hover:text-ink",
      )}
    >
      {/* Without the signs all names fit on a phone. */}
      <Icon className="size-4 shrink-0 max-sm:hidden" aria-hidden="true" />
      {label}
    </Link>
  );
}
