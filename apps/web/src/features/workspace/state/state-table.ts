/**
 * The one table of states: what the panel says and offers in each. A state has two parts, the workspace's and the subscription's; each is a
 * row here, and `shown` combines them. Components read this table and decide nothing themselves.
 */
import type { BadgeTone } from "../../../ui/marks/badge.tsx";
import type { RowName, Standing } from "./panel-state.ts";
import type { stateHeadlines } from "./words.ts";

/** The possible actions. Each is offered in one place of the page: see `places`. */
export type Act =
  | "open"
  | "watch-launch"
  | "restart"
  | "logs"
  | "help"
  | "invite"
  | "export"
  | "choose-plan"
  | "see-plans"
  | "resubscribe"
  | "pay"
  | "resubscribe-paused"
  | "create"
  | "confirm-mail"
  | "continue-setup";

type Headline = keyof typeof stateHeadlines;

export type NoticeName = "offline" | "reason" | "paused" | "deletion" | "over-quota" | "ending" | "arranged-ending";

/** Where an action's button is. The banner is shown on every page, so its button is the primary one wherever it is shown. */
export const places: Record<Act, "card" | "notice" | "banner" | "checklist"> = {
  open: "card",
  "watch-launch": "card",
  restart: "card",
  logs: "card",
  help: "card",
  invite: "card",
  export: "card",
  "choose-plan": "card",
  create: "card",
  "see-plans": "notice",
  resubscribe: "notice",
  pay: "banner",
  "resubscribe-paused": "banner",
  "confirm-mail": "checklist",
  "continue-setup": "checklist",
};

interface StateRow {
  primary: Act | null;
  others?: readonly Act[];
  notice?: NoticeName;
  /** Null: there is no workspace to label. */
  badge: { word: BadgeWord; tone: BadgeTone; live?: true } | null;
  /** The workspace works: the subscription's headline and text may replace the row's. */
  isCalm?: true;
  /** The subscription's actions do not help here. */
  isSettled?: true;
}

type BadgeWord = "setting-up" | "starting" | "ready" | "expiring" | "pending" | "offline" | "stopped" | "paused" | "deleting" | "asleep";

const calm = { isCalm: true, others: ["invite", "restart"] } as const;
const busy = { primary: null, badge: { word: "pending", tone: "accent", live: true } } as const;

/** The workspace's part. Its words are `stateHeadlines` and `workspaceStateWords` in `words.ts`. */
export const workspaceRows: Record<RowName, StateRow> = {
  unconfirmed: { primary: "confirm-mail", badge: null, isSettled: true },
  "half-way": { primary: "continue-setup", badge: null, isSettled: true },
  none: { primary: "create", badge: null, isSettled: true },
  ended: { primary: "choose-plan", badge: null, isSettled: true },
  "setting-up": { primary: "watch-launch", badge: { word: "setting-up", tone: "accent", live: true } },
  starting: { primary: "watch-launch", badge: { word: "starting", tone: "accent", live: true } },
  "launch-delayed": { primary: "watch-launch", others: ["restart", "logs"], notice: "offline", badge: { word: "offline", tone: "danger" } },
  applying: busy,
  updating: busy,
  restoring: busy,
  recovering: busy,
  offline: { primary: "restart", others: ["logs"], notice: "offline", badge: { word: "offline", tone: "danger" } },
  // The fault is the service's, and a restart would not help.
  "offline-for-us": { primary: null, others: ["restart", "logs"], notice: "offline", badge: { word: "offline", tone: "danger" } },
  stopped: { primary: null, others: ["help"], notice: "reason", badge: { word: "stopped", tone: "quiet" } },
  paused: { primary: null, notice: "paused", badge: { word: "paused", tone: "danger" } },
  "scheduled-for-deletion": {
    primary: "choose-plan",
    others: ["export"],
    notice: "deletion",
    badge: { word: "stopped", tone: "danger" },
    isSettled: true,
  },
  deleting: { primary: null, badge: { word: "deleting", tone: "danger", live: true }, isSettled: true },
  "over-quota": { primary: "see-plans", others: ["open", "restart"], notice: "over-quota", badge: { word: "ready", tone: "warning" } },
  "first-day": { ...calm, primary: "open", badge: { word: "ready", tone: "success" } },
  asleep: { ...calm, primary: "open", badge: { word: "asleep", tone: "quiet" } },
  online: { ...calm, primary: "open", badge: { word: "ready", tone: "success" } },
};

interface StandingRow {
  /** Takes precedence over the workspace's actions. */
  primary: Act | null;
  others?: readonly Act[];
  notice?: NoticeName;
  /** Replaces the row's, if the workspace works. */
  headline?: Headline;
  badge?: StateRow["badge"];
}

/** The subscription's part. */
export const standingRows: Record<Standing, StandingRow> = {
  none: { primary: null },
  // The plan's card and the header offer a plan.
  trial: { primary: null },
  "trial-ending": { primary: "choose-plan", headline: "trial-ending" },
  "trial-over": { primary: "choose-plan", headline: "trial-over" },
  paying: { primary: null },
  "payment-late": { primary: "pay" },
  "payments-failed": { primary: "resubscribe-paused" },
  expiring: { primary: "resubscribe", notice: "ending", headline: "expiring", badge: { word: "expiring", tone: "warning" } },
  "arranged-ending": { primary: null, notice: "arranged-ending" },
  ended: { primary: "choose-plan" },
};

export interface Shown {
  headline: Headline;
  badge: StateRow["badge"];
  /** The one primary action of the page; null if nothing has to be done. */
  primary: Act | null;
  /** Offered beside it, in this order. */
  others: readonly Act[];
  notices: readonly NoticeName[];
  /** The workspace works, and nothing is wrong with it. */
  isCalm: boolean;
}

/** What is shown in this state: one headline, at most one primary action. */
export function shown({ row: rowName, standing }: { row: RowName; standing: Standing }): Shown {
  const row = workspaceRows[rowName];
  const money = standingRows[standing];
  const isMoneyFirst = money.primary !== null && (!row.isSettled || places[money.primary] === "banner");
  const primary = isMoneyFirst ? money.primary : row.primary;
  const offered = [...(row.primary ? [row.primary] : []), ...(row.isCalm ? (money.others ?? []) : []), ...(row.others ?? [])];
  return {
    headline: (row.isCalm && money.headline) || rowName,
    badge: rowName !== "asleep" && row.isCalm && money.badge ? money.badge : row.badge,
    isCalm: row.isCalm ?? false,
    primary,
    others: [...new Set(offered)].filter((act) => act !== primary),
    notices: [...(money.notice && !row.isSettled ? [money.notice] : []), ...(row.notice ? [row.notice] : [])],
  };
}
