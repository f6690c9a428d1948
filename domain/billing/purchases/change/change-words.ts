/** What a smaller plan takes away, in sentences for the owner. */
import { featureNames } from "#contract/billing/plans/feature-names.ts";
import { readerDays } from "#contract/sentences/reader-days.ts";
import { say, type Sentence } from "#contract/sentences/say.ts";

const featureLabels: Readonly<Record<string, string>> = featureNames;

/** The plan features that have a number. */
export type Quantity =
  | "executions"
  | "workflows"
  | "people"
  | "projects"
  | "logDays"
  | "executionsKept"
  | "backupDays"
  | "insightsDays"
  | "historyDays";

const number = (value: number): string | number => (value === Infinity ? say("unlimited") : value);
const days = (count: number): Sentence => say(count === 1 ? "oneDay" : "days", { count: number(count) });

/** Says how much there will be, and was before; Infinity is unlimited. */
const less: Readonly<Record<Quantity, (gets: number, had: number) => Sentence>> = {
  executions: (gets, had) => say("lessExecutions", { gets: number(gets), had: number(had) }),
  workflows: (gets, had) => say("lessWorkflows", { gets: number(gets), had: number(had) }),
  people: (gets, had) => say("lessPeople", { gets: number(gets), had: number(had) }),
  projects: (gets, had) => say("lessProjects", { gets: number(gets), had: number(had) }),
  logDays: (gets, had) => say("lessLogDays", { gets: days(gets), had: number(had) }),
  executionsKept: (gets, had) => say("lessExecutionsKept", { gets: number(gets), had: number(had) }),
  backupDays: (gets, had) => say("lessBackupDays", { gets: days(gets), had: number(had) }),
  insightsDays: (gets, had) => (gets === 0 ? say("noInsights") : say("lessInsightsDays", { gets: days(gets), had: number(had) })),
  historyDays: (gets, had) => (gets === 0 ? say("noHistory") : say("lessHistoryDays", { gets: days(gets), had: number(had) })),
};

export const changeWords = {
  less,
  workflows: (active: number, plan: string, limit: number) => say("tooManyWorkflows", { count: active, plan, limit: number(limit) }),
  executions: (used: number, plan: string, limit: number) => say("tooManyExecutions", { count: used, plan, limit: number(limit) }),
  /** @param timezone the reader's; null: unknown */
  nothingBack: (until: Date, timezone: string | null) => say("nothingBack", { day: readerDays("en", timezone).day(until) }),
  feature: (id: string, plan: string) => (featureLabels[id] ? say("featureLost", { feature: featureLabels[id], plan }) : null),
} as const;
