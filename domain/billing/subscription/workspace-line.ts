/** Why a workspace stops, starts or goes, for the journal its owner reads. */
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import type { Effect } from "./subscription-machine.ts";

type Because = Extract<Effect, { kind: "workspace" }>["because"];

const lines: Readonly<Record<Because, JournalLine>> = {
  "trial-ended": {
    event: "trial-ended",
    message:
      "Your trial ended, so the workspace is stopped. It is deleted in 7 days unless you choose a plan; a last backup is then kept for 30 days.",
  },
  paused: {
    event: "subscription-paused",
    message:
      "Payments failed, so your subscription is paused and the workspace is stopped. It is deleted in 30 days unless you resubscribe; a last backup is then kept for 30 days.",
  },
  ended: {
    event: "subscription-ended",
    message:
      "Your subscription ended, so the workspace is stopped. It is deleted in 7 days unless you resubscribe; a last backup is then kept for 30 days.",
  },
  "arranged-ended": {
    event: "subscription-ended",
    message:
      "Your plan ended, so the workspace is stopped. It is deleted in 30 days unless your plan is renewed or you choose another one; a last backup is then kept for 30 days.",
  },
  expired: {
    event: "expired",
    message: "The subscription was not resumed in time, so the workspace is deleted. A last backup is kept for 30 days.",
  },
  paid: { event: "paid", message: "Your subscription is active, so the workspace starts." },
};

export const workspaceLine = (because: Because): JournalLine => lines[because];
