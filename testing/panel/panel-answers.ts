/**
 * What the stand-in of the API answers, by call: typed by the contract, so that an answer the API could not give does not compile, and
 * parsed by its schemas before it is sent. `testing/panel/panel-answers.test.ts` compares them with the real API's.
 */
import type { User } from "#contract/accounts/account.ts";
import type { FirstDays } from "#contract/accounts/onboarding/first-days.ts";
import type { RouteAnswer, RouteBody, RouteContract, RouteParams, RouteQuery } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { firstDaySteps } from "#contract/accounts/account-values.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import type { Subscription } from "#contract/billing/billing.ts";
import { asDelivered, n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import type { Plan, PlanSpec } from "#contract/billing/plans/plan.ts";
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { planView, readCatalogue, trialPlanId } from "#domain/plans/catalogue.ts";
import { AppError } from "#platform/app-error.ts";
import { buildAccount, buildPlanSpec } from "../accounts/build-account.ts";

export type RouteName = keyof typeof routes;
type Routes = typeof routes;

/** What a call asked, parsed by the contract. */
export interface Asked<Route extends RouteContract> {
  body: RouteBody<Route>;
  params: RouteParams<Route>;
  query: RouteQuery<Route>;
}

/** Answers a call; throws an AppError to refuse it as the API would. */
export type Answer<Name extends RouteName> = (
  asked: Asked<Routes[Name]>,
  state: PanelState,
) => RouteAnswer<Routes[Name]> | Promise<RouteAnswer<Routes[Name]>>;
export type Answers = { [Name in RouteName]?: Answer<Name> };

/** What most calls answer from. A test changes it as the service would have. */
export interface PanelState {
  user: User;
  firstDays: FirstDays;
  usage: UsedLimits | null;
  config: RouteAnswer<Routes["frontEndConfig"]>;
  /** The service's time. */
  now: Date;
}

/** A confirmed customer on a trial with an online workspace that has counted nothing yet. */
export function buildPanelState({ user, ...changes }: Partial<Omit<PanelState, "user">> & { user?: Partial<User> } = {}): PanelState {
  const now = changes.now ?? new Date();
  const firstDays = firstDaySteps.map((name) => ({ name, isDone: false }));
  const planSpec = { ...buildPlanSpec(trialPlanId, dayOf(now, 12)), trialDays };
  const account = user?.account ?? buildAccount({ planSpec, firstDays });
  return {
    now,
    firstDays: { steps: firstDays, isOver: false },
    usage: null,
    config: {
      featureFlags: { "026_easy_ai_workflow": "control" },
      analytics: { postHog: null, tagManager: null },
      errorReports: null,
      engine: "n8n",
      n8nLicense: false,
      workspaceMemoryMb: 1024,
      lastBackupDays: 30,
      workspaceHost: "localhost",
      developmentInbox: false,
      sandbox: false,
      now: now.toISOString(),
      clockAheadMs: 0,
      instanceOperations: true,
      supportEmail: "support@example.com",
      links: { status: "", impressum: "", privacy: "", terms: "" },
    },
    ...changes,
    user: {
      id: "019f0000-0000-7000-8000-000000000001",
      email: "ada@example.com",
      fullName: "Ada Lovelace",
      username: account.name,
      confirmed: true,
      hasPassword: true,
      profile: { language: null, timezone: null, mutedMails: [], revision: "profile-1" },
      ...user,
      account,
    },
  };
}

const dayMs = 86_400_000;
const dayOf = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs);
const inDays = (now: Date, days: number): string => dayOf(now, days).toISOString();
const unlimited = -1;
/** As long as the trial's plan keeps them. */
const trialBackupDays = 3;

/** The account's workspace; refuses without one. */
export function workspaceOf({ user }: PanelState): Instance {
  if (!user.account.instance) throw new AppError("workspace_not_found");
  return user.account.instance;
}

/** A workspace says what is used of its plan, as far as it was counted. */
const carrying = (instance: Instance, { usage }: PanelState): Instance =>
  usage ? { ...instance, usedLimits: { executions: usage.executions, activeWorkflows: usage.activeWorkflows } } : instance;

function withUsage(state: PanelState): User {
  const { account } = state.user;
  return account.instance ? { ...state.user, account: { ...account, instance: carrying(account.instance, state) } } : state.user;
}

/** The plans that can be chosen, cheapest first. */
function plans(): Plan[] {
  const { specs, plans: listed } = readCatalogue();
  return listed
    .filter(({ withdrawn, billingType }) => !withdrawn && billingType !== "one-time")
    .map(({ spec, ...plan }) =>
      planView(
        plan,
        specs.find(({ id }) => id === spec)!,
      ),
    )
    .map((plan) => ({ ...plan, spec: asDelivered(plan.spec, n8nAlone) }))
    .toSorted((one, other) => (one.recurring_price["USD"] ?? Infinity) - (other.recurring_price["USD"] ?? Infinity));
}

/** The subscription of a trial. */
const trialOf = ({ planId, displayName, expirationDate }: PlanSpec): Subscription => ({
  status: "trialing",
  planId,
  planName: displayName,
  billingPeriod: { unit: "day", count: trialDays },
  currency: null,
  quotas: null,
  periodEndsAt: expirationDate,
  cancelAt: null,
  changesCloseAt: null,
  isArranged: false,
  scheduledChange: null,
  retries: [],
  pausedAt: null,
  deletionAt: null,
  credit: null,
});

/**
 * Every call that reads something: an account whose owner has done nothing yet. Calls that change something have no answer here, apart from
 * those that any page may make: a test that presses a button says what the service answers.
 */
export const usualAnswers: Answers = {
  me: (_asked, state) => ({ user: withUsage(state) }),
  frontEndConfig: (_asked, { config }) => config,
  logOut: () => undefined,
  listSessions: (_asked, { now }) => ({
    sessions: [
      {
        id: "019f0000-0000-7000-8000-00000000000a",
        openedBy: "password",
        device: "Chrome on Linux",
        address: "127.0.0.1",
        signedInAt: now.toISOString(),
        lastSeenAt: now.toISOString(),
        isCurrent: true,
      },
    ],
    total: 1,
  }),
  getEmailChange: () => ({ pending: null }),
  getChallenge: () => ({ kind: "off" }),
  checkAccountName: () => ({ available: true }),
  getPersonalizationAnswer: () => ({ answer: null }),
  getAiAnswer: () => ({ answer: null }),
  getSelectedApps: () => ({ apps: [] }),
  getClosing: () => ({ blockers: [], days: 30 }),
  getFirstDays: (_asked, { firstDays }) => firstDays,
  getInstance: (_asked, state) => carrying(workspaceOf(state), state),
  instanceEvents: (_asked, state) => carrying(workspaceOf(state), state),
  instanceOutput(_asked, state) {
    workspaceOf(state);
    return { text: "", isWhole: true, isCut: false, readAt: null, isCurrent: false, isLive: false };
  },
  getInstanceUrl: (_asked, state) => ({ url: workspaceOf(state).address }),
  getWorkspaceUrl({ params }, state) {
    if (params.username !== state.user.username) throw new AppError("workspace_not_found");
    return { url: workspaceOf(state).url };
  },
  getInstanceJournal(_asked, state) {
    workspaceOf(state);
    return {
      entries: [
        { id: "1", at: state.now.toISOString(), event: "asked", message: "Workspace requested", detail: null, by: state.user.fullName },
      ],
      next: null,
    };
  },
  listInstanceVersions: (_asked, { user }) => ({
    current: user.account.instance?.versionName ?? "2.40.7",
    versions: [
      {
        name: "2.40.7",
        releasedAt: "2026-09-26T01:16:11.199Z",
        channel: "stable",
        needsMigration: false,
        isPossible: true,
        notes: "https://notes.example/2.40.7",
      },
      { name: "2.38.7", releasedAt: "2026-09-12T10:33:24.778Z", channel: "stable", needsMigration: false, isPossible: false },
    ],
  }),
  getInstanceUpdate(_asked, state) {
    workspaceOf(state);
    return { update: null };
  },
  getVersionHistory(_asked, state) {
    const { versionName } = workspaceOf(state);
    return { updates: [], next: null, launch: { version: versionName, at: state.now.toISOString() } };
  },
  listVariables(_asked, state) {
    workspaceOf(state);
    return { variables: [], revision: 0 };
  },
  listVariableSettings: () => ({ settings: [{ name: "N8N_LOG_LEVEL", values: "error, warn, info, debug" }], onlySettingsRestart: true }),
  getInstanceLogs(_asked, state) {
    workspaceOf(state);
    return { text: "", readAt: state.now.toISOString(), isCurrent: true };
  },
  getInstanceMonitoring(_asked, state) {
    workspaceOf(state);
    return {
      from: inDays(state.now, -1),
      to: state.now.toISOString(),
      limitMb: 1024,
      cpuLimitPercent: 100,
      diskLimitMb: 5120,
      plannedMb: 1024,
      samples: [],
      marks: [],
    };
  },
  getInstanceWebhooks(_asked, state) {
    workspaceOf(state);
    const total = { calls: 0, clientErrors: 0, failed: 0, waited: 0, medianMs: null, p95Ms: null };
    return { from: inDays(state.now, -1), to: state.now.toISOString(), spanMinutes: 15, total, points: [] };
  },
  listCommunityNodes(_asked, state) {
    workspaceOf(state);
    return { isOffered: true, nodes: [], askedAt: null, isCurrent: false };
  },
  getUsedLimits(_asked, { usage }) {
    if (!usage) throw new AppError("usage_unknown");
    return usage;
  },
  listMembers: (_asked, { user }) => ({
    members: [{ id: "owner", email: user.email, name: user.fullName, role: "owner", hasJoined: true, lastActiveOn: null }],
    askedAt: null,
    isCurrent: false,
    usersLimit: unlimited,
  }),
  listInvitations: () => ({ invitations: [], usersLimit: unlimited }),
  listPlans: () => ({ plans: plans() }),
  getPlan({ params }) {
    const plan = plans().find(({ id }) => id === params.id);
    if (!plan) throw new AppError("plan_not_found");
    return { plan };
  },
  getSubscription: (_asked, { user: { account } }) => ({
    subscription: account.planSpec && !account.billing ? trialOf(account.planSpec) : null,
  }),
  getUserPlan(_asked, { user }) {
    if (!user.account.planSpec) throw new AppError("subscription_not_found");
    return user.account.planSpec;
  },
  isBillingActive(_asked, { user }) {
    if (user.account.billing?.status !== "active") throw new AppError("subscription_not_found");
  },
  getPayments: () => ({ payments: [] }),
  getTransactions: () => ({ transactions: [] }),
  getBillingDetails: () => ({ details: null, revision: "" }),
  getPaymentInformation: () => ({ paymentInformation: null }),
  getNextPayment: () => ({ nextPayment: null }),
  hasBackups() {
    throw new AppError("backup_not_found");
  },
  listBackups: (_asked, { user: { account }, now }) => ({
    backups: [],
    next: null,
    restore: null,
    exports: [],
    keptDays: trialBackupDays,
    nextNightlyAt: account.instance ? inDays(now, 0.5) : null,
    hasExports: true,
    canBackUp: account.instance !== null,
    canExport: account.instance !== null,
    canRestore: account.instance !== null,
  }),
};
