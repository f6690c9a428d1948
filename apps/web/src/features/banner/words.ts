/** Words of the notices about the whole panel. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const bannerWords = {
  label: "Notices",
  sessionExpired: { title: "Session expired", text: "Sign in again to continue where you left off." },
  suspended: {
    title: "Your account is suspended",
    text: "Its data is kept. Nothing can be started.",
    action: "Show the reason",
  },
  technicalIssues: {
    title: "We are having technical issues",
    text: "Workspaces cannot be set up, restarted or changed at the moment. Running workspaces keep running. This notice disappears once the issues are resolved.",
  },
  pastDue: {
    title: "Your last payment failed",
    text: "Your workspace keeps running for now. Update your payment method to avoid an interruption.",
    action: "Go to billing",
  },
  pauseRequested: {
    title: "Your subscription is paused",
    text: "It was paused on request, so your workspace is stopped. Its data is kept until it resumes.",
    action: "Go to billing",
  },
  paused: {
    title: "Your subscription is paused",
    text: "Payments failed several times, so your workspace is stopped. Its data is kept. Resubscribe to restore it.",
    action: "Go to billing",
  },
} as const;

export const t = wordsOf({ ...frameWords, banner: bannerWords }, { de: () => import("./words.de.ts") });
