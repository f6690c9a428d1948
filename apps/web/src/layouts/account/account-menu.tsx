import { CircleUser } from "lucide-react";
import { lazy, startTransition, Suspense, useState, type KeyboardEvent } from "react";
import { useSearchParams } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { usePrefetch } from "../../lib/first-view/when-idle.ts";
import { loadPage } from "../../lib/faults/load-page.ts";
import { t } from "../../words/frame.ts";

const loadMenu = () => import("./opened-account-menu.tsx");
const OpenedAccountMenu = lazy(() => loadPage(loadMenu));
const AccountDialogs = lazy(() => loadPage(() => import("../../features/credentials/account-dialogs.tsx")));

/** The address names the open dialog, so a reload or a new sign-in returns to it. */
const dialogItem = "account";

/**
 * The signed-in user, and what they can change about how they sign in. The menu is prefetched; until it is first opened, a plain button of
 * the same look takes its place.
 */
export function AccountMenu({ user, className }: { user: User; className?: string }) {
  const [items, setItems] = useSearchParams();
  const open = items.get(dialogItem);
  // Shown within the header, which is a landmark; the end of the page is not one.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const show = (name: string | null) =>
    setItems(
      (before) => {
        const next = new URLSearchParams(before);
        if (name) next.set(dialogItem, name);
        else next.delete(dialogItem);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  usePrefetch(loadMenu);
  const [firstBy, setFirstBy] = useState<"pointer" | "keyboard">();
  // As a transition, so that the button stays, with its focus, until the menu is there.
  const openFirst = (by: "pointer" | "keyboard") => startTransition(() => setFirstBy(by));
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    openFirst("keyboard");
  };
  const trigger = {
    "aria-label": t("nav.accountOf", { name: user.fullName }),
    className,
    children: (
      <>
        <CircleUser className="size-4" aria-hidden="true" />
        <span className="max-w-32 truncate max-md:sr-only">{t("nav.account")}</span>
      </>
    ),
  };
  const closed = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ detail }) => openFirst(detail > 0 ? "pointer" : "keyboard")}
      onKeyDown={openByArrow}
      {...trigger}
    />
  );
  return (
    <div ref={setPlace}>
      <Suspense>
        {firstBy ? <OpenedAccountMenu firstBy={firstBy} user={user} trigger={trigger} place={place} onDialog={show} /> : closed}
      </Suspense>
      {open ? (
        <Suspense fallback={null}>
          <AccountDialogs open={open} user={user} onClose={() => show(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}
