/** Words of the page on which testers choose variants. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const experimentWords = {
  page: "Experiments",
  title: "Experiments",
  lead: "Choose which variant this browser shows. Only this browser is affected, and no exposure is recorded.",
  assigned: "Assigned to you: {{variant}}",
  unassigned: "Not assigned",
  asAssigned: "As assigned",
  empty: "No experiment is running",
  emptyText: "When one is running, you can choose its variants here.",
  notKept: "This browser does not store data, so your choice is lost when you reload.",
} as const;

export const t = wordsOf({ ...frameWords, experiments: experimentWords }, { de: () => import("./words.de.ts") });
