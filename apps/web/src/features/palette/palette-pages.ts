/** The pages that the palette and the shortcuts lead to. */
import type { User } from "#contract/accounts/account.ts";
import { paths } from "../../lib/paths.ts";
import type { paletteWords } from "./words.ts";

export interface PalettePage {
  name: keyof typeof paletteWords.pages;
  /** The key after `g`. */
  key?: string;
}

/** Of an account with a workspace. */
const workspacePages = (hasBilling: boolean): PalettePage[] => [
  { name: "manage", key: "m" },
  { name: "monitoring", key: "o" },
  { name: "logs", key: "l" },
  { name: "versions", key: "v" },
  { name: "backups", key: "k" },
  { name: "export", key: "e" },
  { name: "members", key: "t" },
  ...(hasBilling ? [{ name: "billing", key: "b" } as const] : []),
  { name: "danger" },
  { name: "changePlan", key: "p" },
];

/** Whether the account has this page: one that would only redirect is not offered. */
export function palettePages(user: User | null): PalettePage[] {
  if (!user) return [{ name: "help", key: "h" }];
  const { isSetup, billing } = user.account;
  return [
    { name: "dashboard", key: "d" },
    ...(isSetup ? workspacePages(Boolean(billing)) : []),
    { name: "inviteTeammate", key: "i" },
    { name: "profile", key: "a" },
    { name: "notifications", key: "n" },
    { name: "security", key: "s" },
    { name: "close" },
    { name: "help", key: "h" },
  ];
}

export const pathOf = ({ name }: PalettePage): string => paths[name];
