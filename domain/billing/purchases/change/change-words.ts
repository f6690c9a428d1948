/** What a smaller plan takes away, in sentences for the owner. */
import { featureNames } from "#contract/billing/feature-names.ts";

const featureLabels: Readonly<Record<string, string>> = featureNames;

/** The plan features that have a number. */
export type Quantity = "executions" | "workflows" | "people" | "projects" | "logDays" | "backupDays" | "insightsDays" | "historyDays";

const number = (value: number) => (value === Infinity ? "unlimited" : value.toLocaleString("en-US"));
const days = (count: number) => `${number(count)} ${count === 1 ? "day" : "days"}`;

/** Says how much there will be, and was before; Infinity is unlimited. */
const less: Readonly<Record<Quantity, (gets: number, had: number) => string>> = {
  executions: (gets, had) => `Executions a month: ${number(gets)} instead of ${number(had)}.`,
  workflows: (gets, had) => `Active workflows: ${number(gets)} instead of ${number(had)}.`,
  people: (gets, had) => `People in the workspace: ${number(gets)} instead of ${number(had)}.`,
  projects: (gets, had) => `Shared projects: ${number(gets)} instead of ${number(had)}.`,
  logDays: (gets, had) => `Executions are kept for ${days(gets)} instead of ${number(had)}; older ones are deleted.`,
  backupDays: (gets, had) => `Backups are kept for ${days(gets)} instead of ${number(had)}; older ones are deleted.`,
  insightsDays: (gets, had) => (gets === 0 ? "Insights end." : `Insights: ${days(gets)} instead of ${number(had)}.`),
  historyDays: (gets, had) => (gets === 0 ? "The workflow history ends." : `Workflow history: ${days(gets)} instead of ${number(had)}.`),
};

export const changeWords = {
  less,
  workflows: (active: number, plan: string, limit: number) =>
    `${number(active)} workflows are active and ${plan} allows ${number(limit)}: no other workflow can be activated until ${number(limit)} or fewer are active.`,
  executions: (used: number, plan: string, limit: number) =>
    `${number(used)} executions are used in this period and ${plan} allows ${number(limit)}: workflows stop running until the next period begins.`,
  nothingBack: (until: Date) =>
    `The time already paid for, until ${until.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })}, is not refunded. Choose the end of the period to keep what you have until then.`,
  feature: (id: string, plan: string) => (featureLabels[id] ? `${featureLabels[id]} is not part of ${plan}.` : null),
} as const;
