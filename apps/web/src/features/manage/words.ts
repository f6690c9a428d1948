/** The words of the Manage area: its navigation, and what each place is for. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const placeWords = {
  nav: {
    label: "Manage",
    menu: "Manage: {{place}}",
    monitoring: "Monitoring",
    logs: "Logs",
    settings: "Settings",
    versions: "Versions",
    backups: "Backups",
    export: "Export",
    members: "Members",
    billing: "Billing",
    danger: "Danger zone",
  },
  monitoring: { lead: "What the workspace uses, and when it stopped" },
  logs: { lead: "What the workspace writes while it runs" },
  settings: { lead: "Timezone, stored executions, environment variables and community nodes" },
  versions: { lead: "What each release changes, when updates are installed, and the version history" },
  danger: { lead: "Actions that cannot be undone" },
} as const;

export const t = wordsOf({ ...frameWords, places: placeWords }, { de: () => import("./words.de.ts") });
