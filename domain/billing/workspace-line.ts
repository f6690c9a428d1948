/** Why a workspace stops, starts or goes, for the journal its owner reads. */
import type { Effect } from "./subscription-machine.ts";

type Because = Extract<Effect, { kind: "workspace" }>["because"];

const lines: Readonly<Record<Because, { event: string; message: string }>> = {
  "trial-ended": { event: "trial-ended", message: "Your trial ended, so the workspace is stopped. Your data is kept for 7 days; choose a plan to go on." },
  paused: { event: "subscription-paused", message: "Payments failed, so your subscription is paused and the workspace is stopped. Your data is kept for 30 days; resubscribe to go on." },
  ended: { event: "subscription-ended", message: "Your subscription ended, so the workspace is stopped. Your data is kept for 7 days; resubscribe to go on." },
  expired: { event: "expired", message: "Nobody resubscribed in time, so the workspace is deleted. Its last backup is kept for 30 days." },
  paid: { event: "paid", message: "Your subscription is active, so the workspace starts." },
};

export const workspaceLine = (because: Because): { event: string; message: string } => lines[because];
