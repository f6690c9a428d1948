/** The frame of the account: its places as a column on wide screens, as a wrapping row on narrow ones. */
import { Bell, ShieldCheck, Trash2, UserRound } from "lucide-react";
import { NavLink, Outlet, useLocation } from "react-router";
import { t } from "../features/profile/words.ts";
import { useFocusOnNewPlace } from "../lib/browser/focus-new-place.ts";
import { paths } from "../lib/paths.ts";
import { classNames } from "../ui/class-names.ts";

const places = [
  { to: paths.profile, icon: UserRound, name: "profile" },
  { to: paths.notifications, icon: Bell, name: "notifications" },
  { to: paths.security, icon: ShieldCheck, name: "security" },
  { to: paths.close, icon: Trash2, name: "close" },
] as const;

export function Component() {
  const content = useFocusOnNewPlace(useLocation().pathname);
  return (
    <div className="grid print:block gap-x-8 gap-y-5 md:grid-cols-[12rem_minmax(0,1fr)] lg:gap-x-12">
      <nav aria-label={t("own.nav.label")} className="min-w-0">
        <ul className="flex flex-wrap gap-1 md:sticky md:top-6 md:flex-col">
          {places.map(({ to, icon: Icon, name }) => (
            <li key={to}>
              <NavLink
                to={to}
                className={({ isActive }) =>
                  classNames(
                    "flex min-h-10 items-center gap-2.5 rounded-lg px-3 py-1.5 text-sm font-medium",
                    isActive ? "bg-accent-soft text-accent-strong" : "text-ink-soft hover:bg-sunken hover:text-ink",
                  )
                }
              >
                <Icon className="size-4 shrink-0 max-sm:hidden" aria-hidden="true" />
                {t(`own.nav.${name}`)}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div ref={content} className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}
