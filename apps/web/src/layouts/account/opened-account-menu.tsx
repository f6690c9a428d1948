import { Menu } from "@base-ui/react/menu";
import { AtSign, Bell, KeyRound, ShieldCheck, UserRound } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/marks/avatar.tsx";
import { t } from "../../features/credentials/words.ts";

const item =
  "flex w-full cursor-default items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none select-none data-highlighted:bg-accent data-highlighted:text-on-accent";

interface OpenedAccountMenuProps {
  /** How it was first opened, on the plain button that it replaces. */
  firstBy: "pointer" | "keyboard";
  user: User;
  /** The content of the header's button. */
  trigger: { "aria-label": string; className: string | undefined; children: ReactNode };
  /** Where the menu is placed. */
  place: HTMLElement | null;
  onDialog: (name: string) => void;
}

/** Replaces ./account-menu.tsx from its first opening on. */
export default function OpenedAccountMenu({ firstBy, user, trigger, place, onDialog }: OpenedAccountMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  // When opened by keyboard, the first item is highlighted: the key pressed on the plain button is passed on.
  useEffect(() => {
    if (firstBy !== "keyboard" || isDone.current) return;
    isDone.current = true;
    button.current?.focus();
    button.current?.click();
  }, [firstBy]);
  return (
    <Menu.Root defaultOpen={firstBy === "pointer"}>
      <Menu.Trigger ref={button} {...trigger} />
      <Menu.Portal container={place}>
        <Menu.Positioner className="z-40 outline-none" sideOffset={6} align="end">
          <Menu.Popup className="w-64 max-w-(--available-width) rounded-lg border border-line bg-raised p-1 text-ink shadow-pop outline-none">
            <Menu.Group>
              <Menu.GroupLabel className="mb-1 block border-b border-line px-2.5 pt-2 pb-2.5 text-sm [overflow-wrap:anywhere]">
                <span className="flex items-center gap-2.5">
                  <Avatar name={user.fullName} className="size-9 text-xs" />
                  <span className="min-w-0">
                    <bdi className="block font-medium">{user.fullName}</bdi>
                    <span className="block text-[0.8125rem] text-ink-soft">{user.email}</span>
                  </span>
                </span>
              </Menu.GroupLabel>
              <Menu.LinkItem className={item} closeOnClick render={<Link to={paths.profile} />}>
                <UserRound className="size-4" aria-hidden="true" />
                {t("account.profile")}
              </Menu.LinkItem>
              <Menu.LinkItem className={item} closeOnClick render={<Link to={paths.notifications} />}>
                <Bell className="size-4" aria-hidden="true" />
                {t("account.notifications")}
              </Menu.LinkItem>
              <Menu.Item className={item} onClick={() => onDialog("change-email")}>
                <AtSign className="size-4" aria-hidden="true" />
                {t("account.changeEmail")}
              </Menu.Item>
              <Menu.Item className={item} onClick={() => onDialog("change-password")}>
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
  );
}
