/** What an operator can do next for a customer: one line for each thing that is wrong or waits, with the command that helps. */
import { formatMoney } from "#contract/billing/money/format-money.ts";
import { plainAmount } from "#contract/billing/money/plain-amount.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import type { CustomerFacts } from "./customer-facts.ts";

/** A start takes seconds, and an installation minutes; after this, something is wrong. */
const startsWithinMs = 15 * minuteMs;
/** Nightly backups are made every day; after two missed nights, the newest is this old. */
const newestBackupWithinMs = 2.5 * dayMs;

/** Empty if nothing is wrong. The most urgent come first: the workspace, its data, the money, the mails. */
export function nextSteps(facts: CustomerFacts, now: Date): string[] {
  return [...ofAccount(facts, now), ...ofWorkspace(facts, now), ...ofMoney(facts), ...ofPeople(facts)];
}

const ops = (command: string): string => `npm run ops -- ${command}`;

function ofAccount(facts: CustomerFacts, now: Date): string[] {
  const { name, suspendedAt, suspendedUntil, closedAt, eraseAt, erasedAt, erasingSince, erasureWaitsFor, erasureError } = facts.account;
  if (erasedAt) return [];
  if (closedAt && eraseAt)
    return [
      eraseAt > now && !erasingSince
        ? `The account is closed. Reopen it until ${stamp(eraseAt)}: ${ops(`reopen ${name} --reason "…"`)}`
        : `The account is being erased: ${erasureError ? `the last try failed (${erasureError}), and the worker's log says why` : erasureWaitsFor ? `it waits for ${erasureWords[erasureWaitsFor]}` : "the worker does it within minutes"}. What goes and what is kept: ${ops(`erase ${name} --reason "…"`)}`,
    ];
  if (!suspendedAt) return [];
  const end = suspendedUntil ? `until ${stamp(suspendedUntil)}` : "until it is lifted";
  const money = paymentsGoOn(facts);
  return [
    `The account is suspended ${end}: nothing starts its workspace. Lift it: ${ops(`resume ${name} --reason "…"`)}`,
    ...(money ? [money] : []),
  ];
}

const erasureWords = {
  comparison: "the comparison with the payment provider, after a restored dump",
  money: "money that is not settled",
  workspace: "the deletion of its workspace",
  copies: "the removal of its backups and exports",
  mail: "the last mail to its owner",
} as const;

/** A suspended account's subscription continues, which only a person can decide about; null if nothing is charged. */
export function paymentsGoOn({ account: { suspendedAt }, subscription }: CustomerFacts): string | null {
  if (!suspendedAt || !subscription?.row.provider) return null;
  const { status, cancelAt, periodEndsAt, provider, providerSubscriptionId } = subscription.row;
  if (cancelAt || (status !== "active" && status !== "past_due" && status !== "trialing")) return null;
  return `Its plan ${subscription.planName} continues and is charged${periodEndsAt ? ` again at ${stamp(periodEndsAt)}` : ""}: nothing is cancelled or refunded automatically, and no payment lifts the suspension. To end it, cancel ${providerSubscriptionId ?? "it"} at ${provider}.`;
}

function ofWorkspace(facts: CustomerFacts, now: Date): string[] {
  const {
    account: { name, suspendedAt },
    workspace,
    backups,
    restore,
    update,
    subscription,
  } = facts;
  if (!workspace) return [];
  const lines: string[] = [];
  const status = workspaceStatus(workspace);
  const ago = (at: Date) => now.getTime() - at.getTime();
  const startingSince = facts.startingSince ?? workspace.updatedAt;
  const isOpen = restore?.finishedAt === null;
  const isFirst = isOpen && workspace.ownerSetUpAt === null && workspace.desiredState !== "deleted";
  const waitsForFirst = isFirst && (restore.attempts > 1 || workspace.failures > 0);
  if (waitsForFirst)
    lines.push(
      `The workspace comes back from its last backup (${restore.backupId}), and does not start without it. It has waited since ${stamp(restore.createdAt)}${restore.attempts > 1 ? `, at attempt ${restore.attempts}` : ""}${
        restore.reason ? `: ${restore.reason}` : "."
      } Retry now: ${ops(`first-restore ${name}`)}. To start it empty instead: ${ops(`first-restore ${name} --begin-empty`)}`,
    );
  else if (workspace.desiredState === "running" && workspace.observedState === "offline")
    lines.push(
      `The workspace is offline${workspace.reason ? `: ${workspace.reason}` : "."} ${
        workspace.failures > 0 ? `It failed ${times(workspace.failures)} in a row. ` : ""
      }Retry now: ${ops(`workspace ${name} --restart`)}`,
    );
  else if (status === instanceStatus.pending && workspace.desiredState === "running" && ago(startingSince) > startsWithinMs)
    lines.push(
      `The workspace has been starting since ${stamp(startingSince)} (${workspace.reason ?? workspace.progressLabel ?? "no step reported"}). Retry now: ${ops(`workspace ${name} --restart`)}`,
    );
  if (workspace.desiredState === "deleted" && workspace.observedState !== "deleted" && workspace.reasonCode === "last-backup-failed")
    lines.push(
      `The deletion waits, because no last backup can be made: ${workspace.reason ?? ""} To delete without one: ${ops(`delete-without-backup ${name}`)}`,
    );
  if (workspace.desiredState === "stopped" && subscription?.row.status === "active" && !suspendedAt)
    lines.push("The workspace is stopped although its plan is active: see the last events.");
  if (isOpen && !waitsForFirst)
    lines.push(
      `A restore of the backup ${restore.backupId} is under way since ${stamp(restore.createdAt)}${restore.attempts > 1 ? `, at attempt ${restore.attempts}` : ""}.`,
    );
  if (restore?.state === "failed" && restore.finishedAt && ago(restore.finishedAt) < 7 * dayMs)
    lines.push(`The restore of ${stamp(restore.createdAt)} failed: ${restore.reason ?? "no reason was recorded"}`);
  if (update && update.finishedAt === null) lines.push(`An update to ${update.toVersion} is under way since ${stamp(update.startedAt)}.`);
  const newest = backups.find(({ state }) => state === "successful");
  const isDue =
    workspace.desiredState === "running" && workspace.observedState === "online" && ago(workspace.createdAt) > newestBackupWithinMs;
  if (isDue && (!newest || ago(newest.createdAt) > newestBackupWithinMs))
    lines.push(newest ? `The newest backup is from ${stamp(newest.createdAt)}.` : "There is no backup.");
  const failed = backups[0]?.state === "failed" ? backups[0] : undefined;
  if (failed) lines.push(`The last backup failed: ${failed.reason ?? "no reason was recorded"}`);
  return lines;
}

function ofMoney({ subscription, heldRefunds, findings, timers, payments }: CustomerFacts): string[] {
  const lines: string[] = [];
  const { status, pastDueAt, deletionAt } = subscription?.row ?? {};
  const refused = payments.find((payment) => payment.status === "failed");
  if (status === "past_due" && pastDueAt)
    lines.push(
      `A payment is open since ${stamp(pastDueAt)}${refused?.reason ? ` (${refused.reason})` : ""}: the customer pays on the billing page.`,
    );
  if (status === "paused")
    lines.push("The plan is paused, because nobody paid or the customer asked for it: the customer resumes it on the billing page.");
  if (status === "deleted" && deletionAt)
    lines.push(`The plan has ended; the workspace is deleted at ${stamp(deletionAt)} unless the customer buys a plan.`);
  for (const refund of heldRefunds)
    lines.push(
      `A refund of ${formatMoney(refund)} waits for your decision: ${ops(`decide-refund ${refund.subscriptionId} ${plainAmount(refund)} --yes`)}`,
    );
  for (const { kind, objectId, detail } of findings)
    lines.push(`${kind} ${objectId}: ${detail} Once settled: ${ops(`reconcile --done ${objectId}`)}`);
  for (const { kind, attempts, lastError } of timers)
    if (attempts > 0 && lastError) lines.push(`The billing step "${kind}" failed ${times(attempts)}: ${lastError}`);
  return lines;
}

function ofPeople({ people, mails }: CustomerFacts): string[] {
  const unconfirmed = people.filter(({ confirmedAt }) => confirmedAt === null);
  const failed = mails.filter(({ failedAt }) => failedAt !== null);
  return [
    ...unconfirmed.map(({ email, createdAt }) => `${email} has not confirmed the address since ${stamp(createdAt)}.`),
    ...failed.map(
      ({ id, subject, lastError }) =>
        `The mail "${subject}" was given up: ${lastError ?? "no reason was recorded"}. Send it again: ${ops(`resend-mail ${id}`)}`,
    ),
  ];
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** To the minute, in UTC. */
export const stamp = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Such as "3 days ago", so that nobody has to subtract dates. */
export function sinceThen(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms < 0) return "ahead";
  const [size, unit] = ms < hourMs ? [minuteMs, "minute"] : ms < 2 * dayMs ? [hourMs, "hour"] : [dayMs, "day"];
  const count = Math.floor(ms / size);
  return count === 0 ? "just now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
