/** Every call of the API: what the server mounts and what the OpenAPI document lists. */
import * as account from "./accounts/account.ts";
import * as backup from "./workspaces/backup.ts";
import * as closing from "./accounts/closing.ts";
import * as billing from "./billing/billing.ts";
import * as firstDays from "./accounts/onboarding/first-days.ts";
import * as invoice from "./billing/invoice.ts";
import * as invitation from "./accounts/invitation.ts";
import * as credential from "./accounts/credential.ts";
import * as challenge from "./accounts/challenge.ts";
import * as communityNodes from "./workspaces/community-nodes.ts";
import * as logs from "./workspaces/monitoring/logs.ts";
import * as monitoring from "./workspaces/monitoring/monitoring.ts";
import * as nodeCatalogue from "./workspaces/node-catalogue.ts";
import * as member from "./accounts/member.ts";
import * as onboarding from "./accounts/onboarding/onboarding.ts";
import * as plan from "./billing/plans/plan.ts";
import * as planChange from "./billing/plans/plan-change.ts";
import * as sandbox from "./sandbox.ts";
import * as service from "./service.ts";
import * as session from "./accounts/session.ts";
import * as survey from "./accounts/onboarding/survey.ts";
import * as update from "./workspaces/update.ts";
import * as usage from "./workspaces/monitoring/usage.ts";
import * as profile from "./accounts/profile.ts";
import * as variable from "./workspaces/variable.ts";
import * as workspace from "./workspaces/workspace.ts";
import * as workspaceSettings from "./workspaces/workspace-settings.ts";

export const routes = {
  register: account.register,
  getChallenge: challenge.getChallenge,
  checkAccountName: challenge.checkAccountName,
  logIn: account.logIn,
  logOut: account.logOut,
  logInWithCode: credential.logInWithCode,
  getCodeHolder: credential.getCodeHolder,
  requestMagicLink: credential.requestMagicLink,
  forgotPassword: credential.forgotPassword,
  resetPassword: credential.resetPassword,
  changePassword: credential.changePassword,
  changeEmail: credential.changeEmail,
  confirmEmailChange: credential.confirmEmailChange,
  getEmailChange: credential.getEmailChange,
  withdrawEmailChange: credential.withdrawEmailChange,
  resendEmailChange: credential.resendEmailChange,
  confirmPassword: credential.confirmPassword,
  listSessions: session.listSessions,
  endSession: session.endSession,
  endOtherSessions: session.endOtherSessions,
  me: account.me,
  changeProfile: profile.changeProfile,
  confirmEmail: account.confirmEmail,
  resendConfirmation: account.resendConfirmation,
  getPersonalizationAnswer: survey.getPersonalizationAnswer,
  savePersonalizationAnswer: survey.savePersonalizationAnswer,
  getAiAnswer: survey.getAiAnswer,
  saveAiAnswer: survey.saveAiAnswer,
  graphql: nodeCatalogue.graphql,
  nodeIcon: nodeCatalogue.nodeIcon,
  getSelectedApps: onboarding.getSelectedApps,
  saveSelectedApps: onboarding.saveSelectedApps,
  skipOnboardingStep: onboarding.skipOnboardingStep,
  setUpAccount: account.setUpAccount,
  forgetTemplate: account.forgetTemplate,
  getClosing: closing.getClosing,
  closeAccount: closing.closeAccount,
  reopenAccount: closing.reopenAccount,
  getFirstDays: firstDays.getFirstDays,
  dismissFirstDays: firstDays.dismissFirstDays,
  restoreFirstDays: firstDays.restoreFirstDays,
  getInstance: workspace.getInstance,
  getInstanceUrl: workspace.getInstanceUrl,
  getWorkspaceUrl: workspace.getWorkspaceUrl,
  restartInstance: workspace.restartInstance,
  instanceEvents: workspace.instanceEvents,
  getInstanceJournal: workspace.getInstanceJournal,
  listInstanceVersions: workspaceSettings.listInstanceVersions,
  changeInstance: workspaceSettings.changeInstance,
  listVariables: variable.listVariables,
  listVariableSettings: variable.listVariableSettings,
  changeVariables: variable.changeVariables,
  getInstanceLogs: logs.getInstanceLogs,
  instanceOutput: logs.instanceOutput,
  downloadInstanceLogs: logs.downloadInstanceLogs,
  getInstanceMonitoring: monitoring.getInstanceMonitoring,
  getInstanceWebhooks: monitoring.getInstanceWebhooks,
  listCommunityNodes: communityNodes.listCommunityNodes,
  deleteInstance: workspaceSettings.deleteInstance,
  createInstance: workspaceSettings.createInstance,
  getUsedLimits: usage.getUsedLimits,
  listMembers: member.listMembers,
  inviteMembers: invitation.inviteMembers,
  listInvitations: invitation.listInvitations,
  resendInvitation: invitation.resendInvitation,
  revokeInvitation: invitation.revokeInvitation,
  listPlans: plan.listPlans,
  getPlan: plan.getPlan,
  generatePayLink: plan.generatePayLink,
  completeCheckout: billing.completeCheckout,
  getSubscription: billing.getSubscription,
  getUserPlan: billing.getUserPlan,
  isBillingActive: billing.isBillingActive,
  getPayments: billing.getPayments,
  getTransactions: billing.getTransactions,
  getTransaction: invoice.getTransaction,
  getInvoice: billing.getInvoice,
  getPaymentInformation: billing.getPaymentInformation,
  changeCard: billing.changeCard,
  getNextPayment: billing.getNextPayment,
  previewChange: planChange.previewChange,
  changePlan: planChange.changePlan,
  previewCustomChange: planChange.previewCustomChange,
  changeCustomPlan: planChange.changeCustomPlan,
  cancelScheduledChange: planChange.cancelScheduledChange,
  cancelSubscription: billing.cancelSubscription,
  previewResubscribe: billing.previewResubscribe,
  resubscribe: billing.resubscribe,
  retryPayment: billing.retryPayment,
  getBillingDetails: billing.getBillingDetails,
  saveBillingDetails: billing.saveBillingDetails,
  getInstanceUpdate: update.getInstanceUpdate,
  getVersionHistory: update.getVersionHistory,
  rollBackInstance: update.rollBackInstance,
  hasBackups: backup.hasBackups,
  listBackups: backup.listBackups,
  createBackup: backup.createBackup,
  backupDownloadLink: backup.backupDownloadLink,
  exportDownloadLink: backup.exportDownloadLink,
  downloadFile: backup.downloadFile,
  restoreBackup: backup.restoreBackup,
  deleteBackup: backup.deleteBackup,
  deleteExport: backup.deleteExport,
  exportWorkflows: backup.exportWorkflows,
  frontEndConfig: service.frontEndConfig,
  developmentInbox: service.developmentInbox,
  getClock: sandbox.getClock,
  moveClock: sandbox.moveClock,
  getSandbox: sandbox.getSandbox,
  changeSandbox: sandbox.changeSandbox,
} as const;
