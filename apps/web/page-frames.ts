/** Which layouts surround each page, as nested in src/routes.tsx: they are fetched with the page, and count toward its size. */
import { invoicePath, paths } from "./src/lib/paths.ts";

const panel = "default-layout";

/** The pages within each of these layouts, by their folders in src/pages. The layout of pages before sign-in is part of the program. */
const framed: { layouts: readonly string[]; pages: readonly string[] }[] = [
  {
    layouts: ["journey-layout"],
    pages: ["account-survey", "account-apps", "invite-teammate", "verify-email", "account-setup", "account-launching"],
  },
  {
    layouts: [panel],
    pages: ["dashboard", "open", "account-suspended", "account-change-plan", "account-checkout", "help", "dev-inbox", "dev-experiments"],
  },
  {
    layouts: [panel, "manage-layout"],
    pages: [
      "manage",
      "manage-monitoring",
      "manage-logs",
      "manage-versions",
      "manage-backups",
      "manage-billing",
      "manage-billing-invoices",
      "manage-export",
      "manage-members",
      "manage-danger",
    ],
  },
  { layouts: [panel, "account-layout"], pages: ["account-profile", "account-notifications", "account-security", "account-close"] },
];

/** The files in src/layouts, without extension, that are fetched with the page of this folder; the outermost first. */
export const framesOf = (page: string): readonly string[] => framed.find(({ pages }) => pages.includes(page))?.layouts ?? [];

/** Each of the panel's addresses, without the variable part of single answers and invoices. */
export const addresses: readonly string[] = [...Object.values(paths), invoicePath("").slice(0, -1)];

/** Pages whose folder has another name than their address. */
const namedOtherwise: Partial<Record<string, string>> = {
  [paths.home]: "front",
  [paths.continueAs]: "continue-as",
  [paths.manageInstance]: "manage",
};

/** The folder in src/pages with the page at one of the panel's addresses. */
export const folderOf = (path: string): string => namedOtherwise[path] ?? path.slice(1).replaceAll("/", "-");
