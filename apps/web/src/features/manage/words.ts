/** The words of the Manage area: its navigation, and what the places of its forms are for. */
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
  settings: { lead: "Timezone, stored executions, environment variables and community nodes" },
  versions: { lead: "What each release changes, when updates are installed, and the version history" },
} as const;

export const t = wordsOf({ ...frameWords, places: placeWords }, { de: () => import("./words.de.ts") });
