/** The frame of the manage area: its places as a column on wide screens, and as a menu on narrow ones. */
import {
  Activity,
  ChevronDown,
  CreditCard,
  DatabaseBackup,
  FileDown,
  GitBranch,
  ScrollText,
  Settings2,
  TriangleAlert,
  Users,
  type LucideIcon,
} from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { t } from "../features/manage/words.ts";
import { useFocusOnNewPlace } from "../lib/browser/focus-new-place.ts";
import { invoicePath, paths } from "../lib/paths.ts";
import { useMaybeUser } from "../lib/session/session.ts";
import { classNames } from "../ui/class-names.ts";

interface ManageLink {
  to: string;
  icon: LucideIcon;
  label: string;
}

/** A place, and those within it: listed below it on narrow screens, and on wide ones while the user is in one of them. */
interface ManagePlace extends ManageLink {
  inner?: ManageLink[];
}

/**
 * Seven at most. In groups: the workspace, its users and billing, its deletion. Billing is listed only for accounts that have it; for
 * others its page leads back here.
 */
const managePlaces = (hasBilling: boolean): ManagePlace[][] => [
  [
    { to: paths.manage, icon: Settings2, label: t("places.nav.settings") },
    {
      to: paths.monitoring,
      icon: Activity,
      label: t("places.nav.monitoring"),
      inner: [{ to: paths.logs, icon: ScrollText, label: t("places.nav.logs") }],
    },
    { to: paths.versions, icon: GitBranch, label: t("places.nav.versions") },
    {
      to: paths.backups,
      icon: DatabaseBackup,
      label: t("places.nav.backups"),
      inner: [{ to: paths.export, icon: FileDown, label: t("places.nav.export") }],
    },
  ],
  [
    { to: paths.members, icon: Users, label: t("places.nav.members") },
    ...(hasBilling ? [{ to: paths.billing, icon: CreditCard, label: t("places.nav.billing") }] : []),
  ],
  [{ to: paths.danger, icon: TriangleAlert, label: t("places.nav.danger") }],
];

export function Component() {
  const { pathname } = useLocation();
  const content = useFocusOnNewPlace(pathname);
  return (
    <div className="grid print:block gap-x-8 gap-y-5 md:grid-cols-[10rem_minmax(0,1fr)] lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-x-12">
      {/* On a new place the menu starts closed. */}
      <Places key={pathname} current={placeOf(pathname)} />
      <div ref={content} className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}

/** The menu entry to which an address belongs: an invoice is read within Billing. */
function placeOf(pathname: string): string {
  if (pathname === paths.manageInstance) return paths.manage;
  return pathname.startsWith(invoicePath("")) ? paths.billing : pathname;
}

function Places({ current }: { current: string }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const groups = managePlaces(Boolean(useMaybeUser()?.account.billing));
  const here = groups
    .flat()
    .flatMap(({ inner = [], ...place }) => [place, ...inner])
    .find(({ to }) => to === current);
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !isOpen) return;
    setIsOpen(false);
    toggle.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in any of its links closes the menu
    <nav aria-label={t("places.nav.label")} onKeyDown={closeOnEscape} className="min-w-0">
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t("places.nav.menu", { place: here?.label ?? "" })}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2.5 rounded-lg border border-line bg-surface px-3.5 text-sm font-medium md:hidden"
      >
        {here ? <here.icon className="size-4 shrink-0 text-ink-soft" aria-hidden="true" /> : null}
        {here?.label}
        <ChevronDown className={classNames("ml-auto size-4 text-ink-soft", isOpen && "rotate-180")} aria-hidden="true" />
      </button>
      <div
        id={id}
        className={classNames(
          "max-md:mt-2 max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:p-1.5 md:sticky md:top-6",
          !isOpen && "max-md:hidden",
        )}
      >
        {groups.map((places) => (
          <ul key={places[0]!.to} className="space-y-0.5 not-first:mt-2 not-first:border-t not-first:border-line not-first:pt-2">
            {places.map(({ inner = [], ...place }) => (
              <li key={place.to}>
                <PlaceLink {...place} isCurrent={place.to === current} />
                {inner.length > 0 ? (
                  <ul
                    className={classNames(
                      "mt-0.5 ml-5 space-y-0.5 border-l border-line pl-1.5",
                      ![place, ...inner].some(({ to }) => to === current) && "md:hidden",
                    )}
                  >
                    {inner.map((link) => (
                      <li key={link.to}>
                        <PlaceLink {...link} isCurrent={link.to === current} />
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            ))}
          </ul>
        ))}
      </div>
    </nav>
  );
}

function PlaceLink({ to, icon: Icon, label, isCurrent }: ManageLink & { isCurrent: boolean }) {
  return (
    <Link
      to={to}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "flex min-h-9 items-center gap-2.5 rounded-lg px-3 text-sm font-medium whitespace-nowrap max-md:min-h-11",
        isCurrent ? "bg-accent-soft text-accent-strong" : "text-ink-soft hover:bg-sunken hover:text-ink",
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {label}
    </Link>
  );
}
