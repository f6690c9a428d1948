/** Everything that the palette offers now: the actions of the present state first, then pages, members, versions and help. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  ArrowRight,
  CircleHelp,
  Copy,
  DatabaseBackup,
  ExternalLink,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  RotateCw,
  SunMoon,
  Tag,
  User as Person,
  UserPlus,
  type LucideIcon,
} from "lucide-react";
import { useLocation, useNavigate } from "react-router";
import { languages } from "#contract/accounts/language.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { apiReference } from "../../lib/api-reference.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { chooseTheme, useThemeChoice } from "../../lib/browser/theme.ts";
import { errorWords } from "../../lib/errors/error-words.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { notify } from "../../lib/notices/notices.ts";
import { answerPath, paths } from "../../lib/paths.ts";
import { chooseLanguage } from "../../lib/session/chosen-language.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { spokenLanguage } from "../../words/spoken.ts";
import { backupsQuery } from "../export/backups-query.ts";
import { t as exportText } from "../export/words.ts";
import { helpSections } from "../help/spoken-answers.ts";
import { membersQuery } from "../members/members-query.ts";
import { useSignOut } from "../sessions/use-sign-out.ts";
import { versionsQuery } from "../workspace-settings/form/version/versions-query.ts";
import { openWorkspace } from "../workspace/open-workspace-button.tsx";
import { workspaceQuery } from "../workspace/workspace-queries.ts";
import { palettePages, pathOf } from "./palette-pages.ts";
import { useSingleKeys } from "./shortcuts.ts";
import { t, type paletteWords } from "./words.ts";

export interface PaletteEntry {
  id: string;
  group: keyof typeof paletteWords.groups;
  name: string;
  /** Synonyms for the search. */
  also?: string;
  icon: LucideIcon;
  /** The keys that lead there without the palette. */
  keys?: string;
  run: () => void;
  /** It opens another page, which then has the focus. */
  leads?: true;
}

interface Doors {
  /** Asks before the workspace restarts. */
  askRestart: () => void;
  showSheet: () => void;
}

/** The entries for the signed-in user and the current state of their workspace. */
export function usePaletteEntries(isOpen: boolean, doors: Doors): PaletteEntry[] {
  const navigate = useNavigate();
  const user = useMaybeUser();
  const isSetup = user?.account.isSetup ?? false;
  const { data: instance } = useQuery({ ...workspaceQuery, enabled: isOpen && isSetup });
  // The workspace itself knows its members. A sleeping one is not woken for a search; members already loaded are found.
  const isAwake = instance?.status === instanceStatus.online && !instance.asleepSince;
  const { data: members } = useQuery({ ...membersQuery, enabled: isOpen && isAwake });
  const { data: versions } = useQuery({ ...versionsQuery(instance?.versionName ?? ""), enabled: isOpen && Boolean(instance) });
  const areKeysOn = useSingleKeys();
  const leadTo = (path: string) => ({ leads: true as const, run: () => void navigate(path) });
  return [
    ...useWorkspaceActions(doors),
    ...useOwnActions(doors),
    ...palettePages(user).map((page) => ({
      id: `page-${page.name}`,
      group: "pages" as const,
      name: t(`palette.pages.${page.name}`),
      icon: ArrowRight,
      ...(page.key && areKeysOn ? { keys: `G ${page.key.toUpperCase()}` } : {}),
      ...leadTo(pathOf(page)),
    })),
    {
      id: "page-api",
      group: "pages" as const,
      name: t("palette.apiReference"),
      also: t("palette.apiAlso"),
      icon: ArrowRight,
      run: () => location.assign(apiReference),
    },
    ...(members?.members ?? []).map(({ id, name, email }) => ({
      id: `member-${id}`,
      group: "members" as const,
      name: name ?? email,
      also: email,
      icon: Person,
      ...leadTo(paths.members),
    })),
    ...(versions?.versions ?? []).map(({ name }) => ({
      id: `version-${name}`,
      group: "versions" as const,
      name: t("palette.version", { version: name }),
      icon: Tag,
      ...leadTo(paths.versions),
    })),
    ...helpSections().flatMap(({ items }) =>
      items.map(({ id, question, also }) => ({
        id: `help-${id}`,
        group: "help" as const,
        name: question,
        also,
        icon: CircleHelp,
        ...leadTo(answerPath(id)),
      })),
    ),
  ];
}

/** The actions that the workspace allows in its current state. */
function useWorkspaceActions({ askRestart }: Doors): PaletteEntry[] {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const user = useMaybeUser();
  const { instanceOperations } = useFrontEndConfig();
  const { data: instance } = useQuery({ ...workspaceQuery, enabled: false });
  if (!user) return [];
  const action = (
    name: Exclude<keyof typeof paletteWords.actions & keyof typeof paletteWords.also, "language">,
    icon: LucideIcon,
    rest: Pick<PaletteEntry, "run" | "leads">,
  ): PaletteEntry => ({ id: name, group: "actions", name: t(`palette.actions.${name}`), also: t(`palette.also.${name}`), icon, ...rest });
  const attempt = (perform: () => Promise<unknown>) => () =>
    void perform().catch((error: unknown) => {
      const { sentence, next } = errorWords(error);
      notify("danger", `${sentence} ${next}`);
    });
  const isOnline = instance?.status === instanceStatus.online;
  const isThere = instance && !instance.isBeingDeleted;
  return [
    ...(isOnline ? [action("open", ExternalLink, { run: () => attempt(() => followLink(window.open("", "_blank")))() })] : []),
    ...(isThere && instanceOperations && instance.status !== instanceStatus.stopped
      ? [action("restart", RotateCw, { run: askRestart })]
      : []),
    ...(isThere && !instance.isNew
      ? [
          action("backUp", DatabaseBackup, {
            run: attempt(async () => {
              await callApi("createBackup");
              notify("info", exportText("exporting.backups.asked"));
              await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
            }),
          }),
        ]
      : []),
    ...(isThere
      ? [
          action("copyAddress", Copy, {
            run: () => void copyText(instance.address, { copied: t("palette.copied"), refused: t("palette.copyFailed") }),
          }),
        ]
      : []),
    action("invite", UserPlus, { leads: true, run: () => void navigate(paths.inviteTeammate) }),
    ...(user.account.isSetup ? [action("changePlan", Tag, { leads: true, run: () => void navigate(paths.changePlan) })] : []),
  ];
}

/** Entries about the user and this browser. */
function useOwnActions({ showSheet }: Doors): PaletteEntry[] {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const user = useMaybeUser();
  const theme = useThemeChoice();
  const signOut = useSignOut();
  const entry = (id: string, name: string, also: string, icon: LucideIcon, run: () => void): PaletteEntry => ({
    id,
    group: "actions",
    name,
    also,
    icon,
    run,
  });
  const dialog = (name: string) => () => void navigate(`${pathname}?account=${name}`, { preventScrollReset: true });
  const themes = (["light", "dark", "system"] as const).filter((choice) => choice !== theme);
  const own = user
    ? [
        entry("password", t("palette.actions.changePassword"), t("palette.also.changePassword"), KeyRound, dialog("change-password")),
        entry("email", t("palette.actions.changeEmail"), t("palette.also.changeEmail"), KeyRound, dialog("change-email")),
      ]
    : [];
  return [
    ...own,
    ...themes.map((choice) =>
      entry(`theme-${choice}`, t(`palette.actions.${choice}`), t("palette.also.theme"), SunMoon, () => chooseTheme(choice)),
    ),
    ...languages
      .filter((language) => language !== spokenLanguage.get())
      .map((language) =>
        entry(
          `language-${language}`,
          t("palette.actions.language", { name: t(`language.${language}`) }),
          t("palette.also.language"),
          Languages,
          () => void chooseLanguage(language),
        ),
      ),
    entry("shortcuts", t("palette.actions.shortcuts"), t("palette.also.shortcuts"), Keyboard, showSheet),
    ...(user ? [entry("sign-out", t("palette.actions.signOut"), t("palette.also.signOut"), LogOut, () => void signOut.run())] : []),
  ];
}

/** If the browser blocks a new tab, the workspace opens in this one. */
async function followLink(tab: Window | null): Promise<void> {
  const blocked = await openWorkspace(tab);
  if (blocked) location.assign(blocked);
}
