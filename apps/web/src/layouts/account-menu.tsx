import { Menu } from "@base-ui/react/menu";
import { AtSign, CircleUser, KeyRound, ShieldCheck } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { loadPage } from "../lib/faults/chunk-reload.ts";
import { paths } from "../lib/paths.ts";
import { t } from "../features/credentials/words.ts";

const AccountDialogs = lazy(() => loadPage(() => import("../features/credentials/account-dialogs.tsx")));

/** The address names the open dialog, so a reload or a new sign-in returns to it. */
const dialogItem = "account";

const item =
  "flex w-full cursor-default items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none select-none data-highlighted:bg-accent data-highlighted:text-on-accent";

/** Who is signed in, and what they can change about how they sign in. */
export function AccountMenu({ user, className }: { user: User; className?: string }) {
  const [items, setItems] = useSearchParams();
  const open = items.get(dialogItem);
  // Shown within the header, which is a landmark; the end of the page is none.
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
  return (
    <div ref={setPlace}>
      <Menu.Root>
        <Menu.Trigger aria-label={t("account.menuOf", { name: user.fullName })} className={className}>
          <CircleUser className="size-4" aria-hidden="true" />
          <span className="max-w-32 truncate max-md:sr-only">{t("account.menu")}</span>
        </Menu.Trigger>
        <Menu.Portal container={place}>
          <Menu.Positioner className="z-40 outline-none" sideOffset={6} align="end">
            <Menu.Popup className="w-64 max-w-(--available-width) rounded-lg border border-line bg-raised p-1 text-ink shadow-pop outline-none">
              <Menu.Group>
                <Menu.GroupLabel className="mb-1 block border-b border-line px-2.5 pt-2 pb-2.5 text-sm [overflow-wrap:anywhere]">
                  <span className="block font-medium">{user.fullName}</span>
                  <span className="block text-[0.8125rem] text-ink-soft">{user.email}</span>
                </Menu.GroupLabel>
                <Menu.Item className={item} onClick={() => show("change-email")}>
                  <AtSign className="size-4" aria-hidden="true" />
                  {t("account.changeEmail")}
                </Menu.Item>
                <Menu.Item className={item} onClick={() => show("change-password")}>
                  <KeyRound className="size-4" aria-hidden="true" />
                  {t("account.changePassword")}
                </Menu.Item>
                <Menu.LinkItem className={item} closeOnClick render={<Link to={paths.security} />}>
                  <ShieldCheck className="size-4" aria-hidden="true" />
                  {t("account.security")}
                </Menu.LinkItem>
              </Menu.Group>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {open ? (
        <Suspense fallback={null}>
          <AccountDialogs open={open} user={user} onClose={() => show(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}
