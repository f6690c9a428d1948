/** The words of mails about trials, payments and plans. Dates arrive formatted, in UTC. */
import { arrangedNoticeDays, deletionAfterEndDays, deletionAfterPauseDays } from "#contract/billing/plans/plan-days.ts";
import { wordsFor, type TranslatedMail } from "../../rendering/mail-words.ts";
import { germanBillingWords } from "./billing-words.de.ts";

type Dated = string;

const counted = (limit: number, one: string, many: string): string =>
  limit < 0 ? `unlimited ${many}` : `${limit.toLocaleString("en-US")} ${limit === 1 ? one : many}`;

const english = {
  limits: {
    executions: (limit: number) => counted(limit, "execution", "executions"),
    workflows: (limit: number) => counted(limit, "active workflow", "active workflows"),
    people: (limit: number) => counted(limit, "person", "people"),
  },
  choosePlan: "Choose a plan",
  openBilling: "Open billing",
  openBackups: "View backups",
  kept: "Until then everything is kept: your workflows, credentials and executions.",
  /** Of one that is still to be made: nothing is deleted without it. */
  lastBackup: (days: number) => `A last backup is then kept for ${days} days.`,
  comesBack: (days: number) =>
    `A last backup is then kept for ${days} days. Resubscribe within that time, and everything comes back from it.`,
  noWorkspace: "Your account has no workspace any more, so nothing is stopped or deleted. With a plan you can start a new, empty one.",
  /** Of a workspace that begins with a payment. */
  restoring: (made: Dated) => `Your workspace is being restored from its last backup, of ${made}. We'll have it online in a few minutes.`,
  startsEmpty: "A new, empty workspace is starting at the same URL.",
  suspended: "Your account is suspended, so its workspace stays stopped until the suspension ends. A payment does not lift it.",
  keepsRunning: "Your workspace keeps running for now.",
  nothingCharged: "You have not been charged, and there is nothing to cancel.",
  welcome: {
    subject: "Welcome to Slipway: your trial has started",
    preview: "Your workspace is on its way.",
    heading: "Your trial has started",
    text: (days: number, ends: Dated) =>
      `Your workspace is on its way. Your trial runs for ${days} days, until ${ends}. No credit card required.`,
    limits: (limits: string) => `It includes ${limits}. If you need more, you can choose a plan at any time.`,
    after: `When the trial ends without a plan, the workspace stops, and ${deletionAfterEndDays} days later it is deleted.`,
    button: "Open your dashboard",
  },
  trialEnding: {
    subject: (when: string) => `Your trial ends ${when}`,
    preview: "Choose a plan to keep your workspace running.",
    text: (account: string, ends: Dated) =>
      `The trial of your workspace ${account} ends on ${ends}. Choose a plan before then to keep it running without interruption.`,
    after: `Without a plan the workspace stops on that day, and ${deletionAfterEndDays} days later it is deleted.`,
    ofAccount: (account: string, ends: Dated) => `The trial of your account ${account} ends on ${ends}.`,
  },
  trialEnded: {
    subject: "Your trial has ended: your workspace is stopped",
    preview: "Nothing is lost yet. Choose a plan to restart it.",
    heading: "Your trial has ended",
    subjectAlone: "Your trial has ended",
    previewAlone: "Choose a plan to start a new workspace.",
    ofAccount: (account: string) => `The trial of your account ${account} has ended.`,
    text: (account: string) =>
      `Your workspace ${account} is stopped: workflows do not run, and webhooks are not answered. Choose a plan to restart it exactly as it was.`,
  },
  deletion: (on: Dated) => `Without a plan it is deleted on ${on}.`,
  started: {
    subject: (plan: string) => `Your ${plan} plan is active`,
    preview: "Thank you. Your receipt follows in a separate email.",
    heading: (plan: string) => `Your ${plan} plan is active`,
    text: (plan: string, account: string) =>
      `Thank you. ${account} is now on the ${plan} plan, and its new quotas apply immediately. Your receipt follows in a separate email.`,
    renews: (on: Dated) => `Your plan renews on ${on}. You can change or cancel it at any time before then.`,
  },
  changed: {
    subject: (plan: string) => `Your plan is now ${plan}`,
    preview: "The new quotas apply immediately.",
    heading: (plan: string) => `Your plan is now ${plan}`,
    text: (account: string, plan: string) =>
      `${account} is now on the ${plan} plan. The new quotas apply immediately. Memory, execution history and features change at the next restart.`,
    renews: (on: Dated) => `The next payment is on ${on}.`,
    nothingBack: "If you switched to a smaller plan immediately, the time you already paid for is not refunded.",
  },
  arranged: {
    subject: (plan: string) => `Your ${plan} plan is active`,
    preview: "We set up your plan.",
    heading: (plan: string) => `Your ${plan} plan is active`,
    text: (plan: string, account: string) => `${account} is on the ${plan} plan, as agreed with you. It is billed outside Slipway.`,
    until: (on: Dated) => `It ends on ${on}, unless you renew it with us. We will remind you ${arrangedNoticeDays} days before.`,
  },
  arrangedEnding: {
    subject: (plan: string, when: string) => `Your ${plan} plan ends ${when}`,
    preview: "Contact support to renew it.",
    text: (account: string, plan: string, ends: Dated) => `The ${plan} plan of ${account} ends on ${ends}. To renew it, contact support.`,
    after: `If it is not renewed, the workspace stops on that day, and ${deletionAfterPauseDays} days later it is deleted.`,
  },
  arrangedEnded: {
    subject: (plan: string) => `Your ${plan} plan has ended: your workspace is stopped`,
    preview: "Nothing is lost yet. Choose a plan to restart it.",
    heading: "Your plan has ended",
    subjectAlone: (plan: string) => `Your ${plan} plan has ended`,
    text: (account: string) =>
      `Your workspace ${account} is stopped: workflows do not run, and webhooks are not answered. Contact support to renew your plan, or choose another plan, to restart it exactly as it was.`,
  },
  scheduled: {
    subject: (plan: string, on: Dated) => `Your plan changes to ${plan} on ${on}`,
    preview: "Nothing changes until then.",
    heading: "Your plan will change",
    text: (plan: string, next: string, on: Dated) =>
      `You keep the ${plan} plan until ${on}, the end of the period you paid for. After that, you will be on the ${next} plan.`,
    undo: "You can undo this until then on the billing page.",
  },
  ending: {
    subject: (when: string) => `Your plan ends ${when}`,
    preview: "Resubscribe to keep everything as it is.",
    text: (account: string, plan: string, ends: Dated) => `You cancelled the ${plan} plan of ${account}. It ends on ${ends}.`,
    after: "The workspace stops then, and it is deleted with its workflows and credentials as soon as a last backup is made and verified.",
    keep: "Resubscribe before then to keep everything as it is.",
    button: "Keep my workspace",
  },
  failed: {
    subject: "Your payment failed",
    preview: "Your workspace keeps running. Please check your card.",
    previewSuspended: "Please check your card.",
    heading: "Your payment failed",
    text: (plan: string, account: string) => `The payment for the ${plan} plan of ${account} did not go through.`,
    retries: (dates: string) => `We will try again on ${dates}. If none of these attempts succeeds, your workspace will be stopped.`,
    last: "This was the last attempt. Without a payment, your workspace will be stopped.",
    text2: "Please check your card or enter another one. You can also retry the payment now on the billing page.",
    button: "Update billing information",
  },
  action: {
    subject: "Your bank asks you to confirm a payment",
    preview: "The payment is waiting for your confirmation.",
    heading: "Confirm your payment",
    text: (plan: string, account: string) =>
      `Your bank asks you to confirm the payment for the ${plan} plan of ${account}. The payment is on hold until you do.`,
    retries: (dates: string) => `Without your confirmation, we will try again on ${dates}. After that, your workspace will be stopped.`,
    button: "Confirm the payment",
  },
  recovered: {
    subject: "Payment received: your plan is active again",
    preview: "Thank you.",
    heading: "Your plan is active again",
    text: (plan: string, account: string) => `Thank you, the payment for the ${plan} plan of ${account} went through.`,
    starting: "If your workspace was stopped, it is starting now.",
  },
  paused: {
    subject: "Your subscription is paused: your workspace is stopped",
    preview: "No payment went through. Nothing is lost yet.",
    heading: "Your subscription is paused",
    subjectAlone: "Your subscription is paused",
    previewAlone: "No payment went through.",
    ofAccount: (account: string) => `No payment went through for your account ${account}.`,
    text: (account: string) =>
      `No payment went through, so your workspace ${account} is stopped: workflows do not run, and webhooks are not answered. Resubscribe to restart it exactly as it was.`,
    button: "Resubscribe",
  },
  pauseRequested: {
    subject: "Your subscription is paused, as requested",
    preview: "Nothing is charged, and nothing is deleted.",
    heading: "Your subscription is paused",
    text: (plan: string) => `The ${plan} plan was paused on request. Nothing is charged until it resumes.`,
    stopped: (account: string) =>
      `Until then your workspace ${account} is stopped: workflows do not run, and webhooks are not answered. Its data is kept.`,
  },
  pauseEnded: {
    subject: "Your plan is active again",
    preview: "The pause is over.",
    heading: "Your plan is active again",
    text: (plan: string) => `The pause is over, and the ${plan} plan is active again.`,
    starting: (account: string) => `Your workspace ${account} is starting now.`,
  },
  cancelled: {
    subject: "Your plan is cancelled",
    preview: "You keep it until the end of the period you paid for.",
    heading: "Your plan is cancelled",
    text: (plan: string, ends: Dated) => `You keep the ${plan} plan until ${ends}. You will not be charged again.`,
    after: (ends: Dated) =>
      `On ${ends} the workspace stops, and it is deleted with its workflows and credentials as soon as a last backup is made and verified.`,
    ofTrial: `Your trial runs to its end. The workspace stops then, and ${deletionAfterEndDays} days later it is deleted.`,
    undo: "Changed your mind? Resubscribe on the billing page before then, and everything stays as it is.",
  },
  resubscribed: {
    subject: "Your plan continues",
    preview: "Your cancellation was undone.",
    heading: "Your plan continues",
    text: (plan: string) => `Your cancellation was undone. You keep the ${plan} plan, and nothing is deleted.`,
    renews: (on: Dated) => `The next payment is on ${on}.`,
  },
  ended: {
    subject: "Your plan has ended: your workspace is stopped",
    preview: "Nothing is lost yet. Resubscribe to start it again.",
    heading: "Your plan has ended",
    text: (account: string) =>
      `Your workspace ${account} is stopped: workflows do not run, and webhooks are not answered. Resubscribe to restart it exactly as it was.`,
    subjectAlone: "Your plan has ended",
    previewAlone: "You will not be charged again.",
    ofAccount: (plan: string, account: string) => `The ${plan} plan of ${account} has ended.`,
    subjectDeleting: (account: string) => `Your plan has ended: your workspace ${account} is being deleted`,
    previewDeleting: "We make a last backup first, so that you can come back.",
    textDeleting: (plan: string, account: string) =>
      `The ${plan} plan of ${account} has ended, as you requested. The workspace is stopped. We now make a last backup and verify it, and then delete the workspace with its workflows and credentials.`,
    report: "We'll email you when that is done, with the day until which the backup is kept.",
    button: "Resubscribe",
  },
  duplicate: {
    subject: "You paid twice: we are refunding one payment",
    preview: "You keep your plan. You don't need to do anything.",
    heading: "You paid twice, so we are refunding one payment",
    text: (plan: string, account: string) =>
      `We received two payments for a plan of ${account}. You keep the ${plan} plan. The second purchase was cancelled and will not be charged again.`,
    refunded: (total: string) => `We are refunding ${total} to the card or account you paid with. Your bank may need a few days.`,
    after: "Both payments are listed on the billing page, the second one as refunded.",
  },
  warning: {
    subject: (account: string, when: string) => `Your workspace ${account} will be deleted ${when}`,
    preview: "Choose a plan or export your data before then.",
    heading: "Your workspace will be deleted",
    text: (account: string, on: Dated) =>
      `Your workspace ${account} will be deleted on ${on}. Choose a plan before then to restart it exactly as it was.`,
    export: "You can also export your workflows on the Export page.",
  },
  deleted: {
    subject: (account: string) => `Your workspace ${account} was deleted`,
    preview: (until: Dated) => `Its last backup is kept until ${until}.`,
    previewAlone: "Your account still exists.",
    heading: "Your workspace was deleted",
    text: (account: string) => `The workspace ${account} was deleted, with its workflows and credentials. Your account still exists.`,
    backup: (made: Dated, until: Dated) =>
      `Its last backup, of ${made}, is kept until ${until}. Choose a plan by then, and everything comes back from it, at the same URL. You can also download it on the Backups page.`,
    noBackup: "There is no backup of it. With a plan you can start a new, empty workspace.",
  },
  receipt: {
    subject: (number: string | null) => (number ? `Your receipt: invoice ${number}` : "Your receipt"),
    preview: (total: string) => `We received ${total}. Thank you.`,
    heading: "Thank you for your payment",
    text: (total: string, on: Dated, card: string) => `We received ${total} on ${on}${card && ` by ${card}`}.`,
    credit: (credit: string) => `${credit} was paid from your credit.`,
    creditHeading: "Paid from your credit",
    otherwise: (number: string) => `Invoice ${number} is paid.`,
    creditOnly: (credit: string) => `${credit} was paid from your credit. Your card was not charged.`,
    attached: (number: string) => `Invoice ${number} is attached. All your invoices are on the billing page.`,
  },
  correction: {
    refunded: {
      subject: (sum: string, number: string) => `We refunded ${sum}: credit note ${number}`,
      heading: (sum: string) => `We refunded ${sum}`,
      text: (sum: string, corrects: string) =>
        `We refunded ${sum} of invoice ${corrects} to the card or account that paid it. Your bank may need a few days to show it.`,
    },
    cancelled: {
      subject: (_sum: string, number: string) => `Invoice cancelled: credit note ${number}`,
      heading: (_sum: string) => "We cancelled an invoice",
      text: (_sum: string, corrects: string) => `Invoice ${corrects} is cancelled in full. Nothing is owed for it.`,
    },
    "refund-failed": {
      subject: (sum: string, number: string) => `Your refund of ${sum} failed: debit note ${number}`,
      heading: (sum: string) => `Your refund of ${sum} failed`,
      text: (sum: string, corrects: string) =>
        `The refund of ${sum} did not reach your card or account, so credit note ${corrects} is withdrawn. You owe nothing for this. Contact support to receive the refund another way.`,
    },
    credited: {
      subject: (_sum: string, number: string) => `Your credit note ${number}`,
      heading: (sum: string) => `You have a credit of ${sum}`,
      text: (sum: string, corrects: string) =>
        `We credited ${sum}${corrects && ` for invoice ${corrects}`}. It is refunded, or deducted from your next payment.`,
    },
    attached: (number: string) => `Document ${number} is attached. All your invoices are on the billing page.`,
  },
  renewal: {
    subject: (plan: string, on: Dated) => `Your ${plan} plan renews on ${on}`,
    preview: (total: string) => `The payment will be ${total}.`,
    heading: (plan: string) => `Your ${plan} plan renews soon`,
    text: (plan: string, account: string, on: Dated, total: string) =>
      `The ${plan} plan of ${account} renews on ${on}. We will charge ${total} including tax to your payment method.`,
    change: "You can change or cancel your plan on the billing page until then. If you don't, you don't need to do anything.",
  },
  cardExpires: {
    subject: "Your card expires soon",
    preview: "Add a new card so that your next payment goes through.",
    heading: "Your card expires soon",
    text: (card: string, expires: string, account: string) =>
      `The ${card} you use to pay for ${account} is valid until ${expires}. Add a new card before the next payment to keep your workspace running.`,
    button: "Update billing information",
  },
} as const;

/** Shared by the languages. */
export type BillingWords = TranslatedMail<typeof english>;

/** The words for a reader of this language. */
export const billingWords = wordsFor(english, germanBillingWords);
