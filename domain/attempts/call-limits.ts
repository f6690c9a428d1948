/**
 * How often a session and an account may make calls that write, by kind of call. One session can never use up what the account's others
 * have within a minute. A day's limit bounds the rows, such as those of the audit log, that an account can cause.
 */
import { routes } from "#contract/routes.ts";
import type { RouteContract } from "#contract/api/route.ts";

interface CallLimit {
  perSessionMinute: number;
  perAccountMinute: number;
  /** Null: the kind guards an account, and must work whatever another session did. */
  perAccountDay: number | null;
}

export const callLimits = {
  /** What a form saves: more than anyone clicks. */
  form: { perSessionMinute: 60, perAccountMinute: 120, perAccountDay: 3_000 },
  /** Each is a sign-in to the workspace. Its owner opens a few a day, with a tab for each. */
  "sign-in-link": { perSessionMinute: 30, perAccountMinute: 60, perAccountDay: 1_000 },
  /** Each lets the workspace restart, start or end, which takes longer than a minute divided by this. */
  workspace: { perSessionMinute: 12, perAccountMinute: 24, perAccountDay: 300 },
  /**
   * Each calls the payment provider, most of them several times, and a provider counts all customers' calls together. Sliders preview
   * often, and have a limit of their own as well.
   */
  preview: { perSessionMinute: 120, perAccountMinute: 240, perAccountDay: 3_000 },
  money: { perSessionMinute: 20, perAccountMinute: 40, perAccountDay: 300 },
  /** Guessing is limited in attempt-policy.ts; this limits only the load. */
  security: { perSessionMinute: 30, perAccountMinute: 300, perAccountDay: null },
} as const satisfies Record<string, CallLimit>;

/**
 * Passwords that were right, typed for one user in a day: each leaves a row of the audit log for good, and a session. Only who knows the
 * password can use it up, and a mailed link works then as well.
 */
export const rightPasswordsADay = 3_000;

export type CallKind = keyof typeof callLimits;

const kinds: readonly (readonly [CallKind, readonly RouteContract[]])[] = [
  ["sign-in-link", [routes.getInstanceUrl]],
  [
    "workspace",
    [
      routes.restartInstance,
      routes.changeInstance,
      routes.changeVariables,
      routes.createInstance,
      routes.deleteInstance,
      routes.rollBackInstance,
      routes.restoreBackup,
      routes.setUpAccount,
    ],
  ],
  [
    "preview",
    [routes.previewChange, routes.previewCustomChange, routes.previewResubscribe, routes.getNextPayment, routes.getPaymentInformation],
  ],
  [
    "money",
    [
      routes.generatePayLink,
      routes.completeCheckout,
      routes.changePlan,
      routes.changeCustomPlan,
      routes.cancelScheduledChange,
      routes.cancelSubscription,
      routes.resubscribe,
      routes.retryPayment,
      routes.saveBillingDetails,
    ],
  ],
  [
    "security",
    [
      routes.logOut,
      routes.changePassword,
      routes.confirmPassword,
      routes.endSession,
      routes.endOtherSessions,
      routes.changeEmail,
      routes.withdrawEmailChange,
      routes.resendEmailChange,
      routes.resendConfirmation,
    ],
  ],
];

const kindOf = new Map(kinds.flatMap(([kind, calls]) => calls.map((call) => [`${call.method} ${call.path}`, kind] as const)));
const reading: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** The kind of a signed-in call that writes; null for one that only reads. A call that nobody sorted is a form's. */
export function callKindOf({ method, path, auth }: Pick<RouteContract, "method" | "path" | "auth">): CallKind | null {
  if (auth !== "session") return null;
  return kindOf.get(`${method} ${path}`) ?? (reading.has(method) ? null : "form");
}
