/** The words of the dashboard. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const dashboardWords = {
  page: "Dashboard",
  title: "Dashboard",
  greeting: "Hello, {{name}}",
} as const;

export const t = wordsOf({ ...frameWords, dashboard: dashboardWords }, { de: () => import("./words.de.ts") });
