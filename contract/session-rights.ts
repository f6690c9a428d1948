/**
 * What a session may call, by how it was opened: the one table that decides. Each call of the contract has a line, or this file does not
 * compile; `platform/http/mount.ts` reads it before a call's body, so no handler has to ask. The same table as a page:
 * docs/security/sessions.md.
 */
import type { sessionOpenings } from "./accounts/session.ts";
import type { RouteContract } from "./api/route.ts";
import { routes } from "./routes.ts";

/**
 * `yes`: allowed. `password`: refused with `password_needed` until the password is typed in this session, which then counts as opened by
 * it. `recent`: the same, unless it was typed within the last 10 minutes or the call is about this session itself.
 */
export type SessionRight = "yes" | "password" | "recent";
export type SessionRights = Readonly<Record<(typeof sessionOpenings)[number], SessionRight>>;

type Routes = typeof routes;
export type RouteName = keyof Routes;
type SessionTable = { readonly [Name in RouteName]: Routes[Name]["auth"] extends "none" ? "anyone" : SessionRights };

/** Landing on a page that n8n's editor links to (dashboard, settings, plans), and going on from there with the password. */
const everyone: SessionRights = { password: "yes", "magic-link": "yes", workspace: "yes", operator: "yes" };
/** What an operator needs to see and do to help. Code in a workspace can open its owner's session, and needs none of it. */
const staffToo: SessionRights = { ...everyone, workspace: "password" };
/** Money, invoices' contents, credentials, people, data that leaves the service, and what cannot be undone. */
const ownerOnly: SessionRights = { ...staffToo, operator: "password" };
/**
 * What destroys or replaces a customer's data, and signing out other devices: a stolen cookie, or a browser left open, must not suffice
 * (ASVS 7.5.2).
 */
const recently: SessionRights = { password: "recent", "magic-link": "recent", workspace: "recent", operator: "recent" };

export const sessionRights: SessionTable = {
  register: "anyone",
  getChallenge: "anyone",
  checkAccountName: "anyone",
  logIn: "anyone",
  logOut: "anyone",
  logInWithCode: "anyone",
  getCodeHolder: "anyone",
  requestMagicLink: "anyone",
  forgotPassword: "anyone",
  resetPassword: "anyone",
  changePassword: ownerOnly,
  changeEmail: ownerOnly,
  confirmEmailChange: "anyone",
  getEmailChange: staffToo,
  withdrawEmailChange: ownerOnly,
  resendEmailChange: ownerOnly,
  confirmPassword: everyone,
  listSessions: staffToo,
  endSession: recently,
  endOtherSessions: recently,
  me: everyone,
  changeProfile: ownerOnly,
  confirmEmail: "anyone",
  resendConfirmation: staffToo,
  getPersonalizationAnswer: staffToo,
  savePersonalizationAnswer: ownerOnly,
  getAiAnswer: staffToo,
  saveAiAnswer: ownerOnly,
  graphql: "anyone",
  nodeIcon: "anyone",
  getSelectedApps: staffToo,
  saveSelectedApps: ownerOnly,
  skipOnboardingStep: staffToo,
  setUpAccount: staffToo,
  // Pages make this call without a click.
  forgetTemplate: everyone,
  getClosing: staffToo,
  closeAccount: recently,
  reopenAccount: ownerOnly,
  getFirstDays: everyone,
  dismissFirstDays: staffToo,
  restoreFirstDays: staffToo,
  getInstance: everyone,
  getInstanceUrl: everyone,
  getWorkspaceUrl: "anyone",
  restartInstance: staffToo,
  instanceEvents: everyone,
  getInstanceJournal: everyone,
  listInstanceVersions: everyone,
  changeInstance: staffToo,
  listVariables: staffToo,
  listVariableSettings: staffToo,
  changeVariables: staffToo,
  getInstanceLogs: staffToo,
  instanceOutput: staffToo,
  downloadInstanceLogs: staffToo,
  getInstanceMonitoring: staffToo,
  getInstanceWebhooks: staffToo,
  listCommunityNodes: staffToo,
  deleteInstance: recently,
  createInstance: staffToo,
  getUsedLimits: everyone,
  listMembers: staffToo,
  inviteMembers: ownerOnly,
  listInvitations: staffToo,
  resendInvitation: ownerOnly,
  revokeInvitation: ownerOnly,
  listPlans: "anyone",
  getPlan: "anyone",
  generatePayLink: ownerOnly,
  completeCheckout: staffToo,
  getSubscription: everyone,
  getUserPlan: everyone,
  isBillingActive: everyone,
  getPayments: staffToo,
  getTransactions: staffToo,
  getTransaction: staffToo,
  getInvoice: staffToo,
  getPaymentInformation: staffToo,
  changeCard: ownerOnly,
  getNextPayment: staffToo,
  previewChange: staffToo,
  changePlan: ownerOnly,
  previewCustomChange: staffToo,
  changeCustomPlan: ownerOnly,
  cancelScheduledChange: ownerOnly,
  cancelSubscription: ownerOnly,
  previewResubscribe: staffToo,
  resubscribe: ownerOnly,
  retryPayment: ownerOnly,
  getBillingDetails: staffToo,
  saveBillingDetails: ownerOnly,
  getInstanceUpdate: staffToo,
  getVersionHistory: staffToo,
  rollBackInstance: recently,
  hasBackups: staffToo,
  listBackups: everyone,
  createBackup: staffToo,
  backupDownloadLink: ownerOnly,
  exportDownloadLink: ownerOnly,
  downloadFile: ownerOnly,
  restoreBackup: recently,
  deleteBackup: recently,
  deleteExport: ownerOnly,
  exportWorkflows: ownerOnly,
  frontEndConfig: "anyone",
  developmentInbox: "anyone",
  getClock: "anyone",
  moveClock: "anyone",
  getSandbox: "anyone",
  changeSandbox: "anyone",
};

/**
 * Calls that destroy data only with some bodies: these need a recently typed password, whatever the line above says. What they destroy is
 * known only inside the use case, which asks (`needRecentPassword` in platform/http/refuse-session.ts).
 */
export const destroysWith: { readonly [Name in RouteName]?: string } = {
  changeInstance: "fewer executions to keep",
  changePlan: "a plan that keeps less, beginning within 7 days",
  changeCustomPlan: "a plan that keeps less, beginning within 7 days",
};

/**
 * What the owner of a suspended account may call besides everything that only reads: look after the account itself, take the data along,
 * and stop paying. Nothing here starts a workspace, invites anyone or charges anything; all other calls are refused with `account_suspended`.
 */
export const whileSuspended: { readonly [Name in RouteName]?: string } = {
  changePassword: "the account's safety",
  changeEmail: "the account's safety",
  withdrawEmailChange: "the account's safety",
  resendEmailChange: "the account's safety",
  resendConfirmation: "the account's safety",
  confirmPassword: "other calls ask for it",
  endSession: "the account's safety",
  endOtherSessions: "the account's safety",
  changeProfile: "language and mails",
  forgetTemplate: "pages make this call without a click",
  revokeInvitation: "withdraws something",
  completeCheckout: "reads from the payment provider what was paid before",
  cancelSubscription: "whoever may not use a plan may end it",
  saveBillingDetails: "what the next invoice says",
  createBackup: "the owner's data",
  backupDownloadLink: "the owner's data",
  exportDownloadLink: "the owner's data",
};

/** Whether the owner of a suspended account may make this call. */
export const isOpenWhileSuspended = (route: RouteContract): boolean => isReadOr(whileSuspended, route);

/**
 * What the owner of a closed account may call besides everything that only reads: reopen it, look after it, stop paying, and take along what there is.
 * All other calls are refused with `account_closed`.
 */
export const whileClosed: { readonly [Name in RouteName]?: string } = {
  reopenAccount: "the way back",
  changePassword: "the account's safety",
  confirmPassword: "other calls ask for it",
  endSession: "the account's safety",
  endOtherSessions: "the account's safety",
  changeProfile: "language",
  forgetTemplate: "pages make this call without a click",
  completeCheckout: "reads from the payment provider what was paid before",
  cancelSubscription: "money that arrived although it is closed must not come again",
  backupDownloadLink: "the owner's data",
  exportDownloadLink: "the owner's data",
};

/** Whether the owner of a closed account may make this call. */
export const isOpenWhileClosed = (route: RouteContract): boolean => isReadOr(whileClosed, route);

function isReadOr(listed: { readonly [Name in RouteName]?: string }, route: RouteContract): boolean {
  const isRead = route.method === "GET" || route.method === "HEAD";
  return rightsOf(route) === "anyone" || isRead || (Object.keys(listed) as RouteName[]).some((name) => routes[name] === route);
}

const byRoute = new Map<RouteContract, "anyone" | SessionRights>(
  (Object.keys(routes) as RouteName[]).map((name) => [routes[name], sessionRights[name]]),
);

/** The line of this call. Throws for a call that the contract does not list, so it is never mounted. */
export function rightsOf(route: RouteContract): "anyone" | SessionRights {
  const rights = byRoute.get(route);
  if (!rights) throw new Error(`${route.method} ${route.path} has no line in contract/session-rights.ts`);
  return rights;
}

/** Whether some session is asked for the password before this call. */
export function asksPassword(route: RouteContract): boolean {
  const rights = rightsOf(route);
  const isConditional = (Object.keys(destroysWith) as RouteName[]).some((name) => routes[name] === route);
  return rights !== "anyone" && (isConditional || Object.values(rights).some((right) => right !== "yes"));
}
