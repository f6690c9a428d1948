import { formatMoney } from "#contract/billing/money/format-money.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { readCustomerFacts, type CustomerFacts } from "#domain/journeys/assist-customer/customer-facts.ts";
import { findCustomers } from "#domain/journeys/assist-customer/find-customer.ts";
import { nextSteps, sinceThen, stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { providerNames } from "#payments/providers.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Shows who is behind whatever an operator was given, how the account stands, and what to do next. */
export const show: Command = {
  name: "show",
  parameters: ["anything"],
  summary:
    "Show a customer by email, account or host name, invoice number, an id of the payment provider, of a request or of ours: people, money, workspace, last events, and what to do next",
  async run({ db, clock, config, print }, { arguments: [typed = ""] }) {
    const found = await findCustomers(db, typed, { host: new URL(config.publicUrl).hostname, providers: providerNames });
    if (found.length === 0)
      throw new CommandRefused(
        `Nothing here is called ${typed}. A request that changed nothing is only in the service's log: search it for this id.`,
      );
    for (const [index, { accountId, what }] of found.entries()) {
      const facts = await readCustomerFacts(db, accountId);
      if (!facts) throw new CommandRefused(`${typed} is the ${what} of an account that is gone (${accountId}).`);
      if (index > 0) print("");
      print(`${typed} is the ${what} of ${facts.account.name}.`);
      for (const line of describe(facts, config.publicUrl, clock.now())) print(line);
    }
  },
};

/** A heading and its lines, or nothing if there are none. */
const part = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", heading, ...lines.map((line) => `  ${line}`)];

function describe(facts: CustomerFacts, publicUrl: string, now: Date): string[] {
  const { account, people, subscription, workspace } = facts;
  const steps = nextSteps(facts, now);
  return [
    ...part("Account", [
      `${account.name}  ${account.id}  since ${stamp(account.createdAt)}`,
      ...(account.suspendedAt ? [suspensionLine(account)] : []),
      ...(account.closedAt && account.eraseAt ? [closingLine(account, account.closedAt, account.eraseAt)] : []),
      ...people.map(
        ({ email, fullName, kind, confirmedAt }) =>
          `${fullName} <${email}>${kind === "publisher" ? ", publisher" : ""}, ${confirmedAt ? "confirmed" : "address not confirmed"}`,
      ),
    ]),
    ...part("Plan and money", [
      subscription ? planLine(subscription) : "no plan",
      ...facts.payments.map(
        ({ at, amount, currency, status, providerPaymentId, reason }) =>
          `payment  ${stamp(at)}  ${formatMoney({ amount, currency })}  ${status}  ${providerPaymentId}${reason ? `  ${reason}` : ""}`,
      ),
      ...facts.invoices.map(
        ({ number, issuedAt, total, currency, status, description }) =>
          `document  ${stamp(issuedAt)}  ${number ?? "no number"}  ${formatMoney({ amount: total, currency })}  ${status}  ${description}`,
      ),
      ...facts.timers.map(({ kind, dueAt }) => `next  ${stamp(dueAt)}  ${kind}`),
    ]),
    ...part("Workspace", workspace ? workspaceLines(workspace, workspaceUrl(publicUrl, account.name), now) : ["none"]),
    ...part(
      "Backups",
      facts.backups.map(
        ({ id, createdAt, kind, state, engineVersion, reason }) =>
          `${id}  ${stamp(createdAt)}  ${kind}  ${state}  ${engineVersion}${reason ? `  ${reason}` : ""}`,
      ),
    ),
    ...part(
      "Last events",
      facts.journal.map(({ at, event, message }) => `${stamp(at)}  ${event}  ${message}`),
    ),
    ...part(
      "Last changes on record",
      facts.audit.map(({ at, action, userId, after }) => `${stamp(at)}  ${action}  ${actorOf(userId, after)}`),
    ),
    ...part(
      "Last mails",
      facts.mails.map(
        ({ id, createdAt, subject, sentAt, failedAt }) =>
          `${id}  ${stamp(createdAt)}  ${failedAt ? "given up" : sentAt ? "sent" : "waiting"}  ${subject}`,
      ),
    ),
    ...part("What to do next", steps.length > 0 ? steps : ["Nothing: nothing is wrong, and nothing waits for you."]),
  ];
}

const suspensionLine = ({ suspendedAt, suspendedUntil, suspendedBy, suspensionReason }: CustomerFacts["account"]): string =>
  `suspended since ${stamp(suspendedAt!)} ${suspendedUntil ? `until ${stamp(suspendedUntil)}` : "until it is lifted"} by ${suspendedBy}: ${suspensionReason}`;

function closingLine(account: CustomerFacts["account"], closedAt: Date, eraseAt: Date): string {
  const { closedBy, closingReason, erasingSince, erasedAt } = account;
  if (erasedAt) return `closed since ${stamp(closedAt)}, erased at ${stamp(erasedAt)}: only what docs/security/data.md lists is kept`;
  const by = closedBy === null ? "by its owner" : `by ${closedBy}: ${closingReason}`;
  if (erasingSince) return `closed since ${stamp(closedAt)} ${by}, being erased since ${stamp(erasingSince)}`;
  return `closed since ${stamp(closedAt)} ${by}, can be reopened until ${stamp(eraseAt)}`;
}

function planLine({ planName, row }: NonNullable<CustomerFacts["subscription"]>): string {
  const { planId, status, periodEndsAt, cancelAt, provider, providerCustomerId, providerSubscriptionId } = row;
  const end = cancelAt ? `, ends ${stamp(cancelAt)}` : periodEndsAt ? `, period until ${stamp(periodEndsAt)}` : "";
  const ids = [providerCustomerId, providerSubscriptionId].filter(Boolean).join(" ");
  return `${planName} (${planId}), ${status}${end}${provider ? `, ${provider} ${ids}` : ", not at a payment provider"}`;
}

/** What the workspace is, and why. Shared with the command `workspace`. */
export function workspaceLines(workspace: NonNullable<CustomerFacts["workspace"]>, url: string, now: Date): string[] {
  const [status] = Object.entries(instanceStatus).find(([, value]) => value === workspaceStatus(workspace))!;
  const { engine, observedVersion, desiredVersion, host, memoryMb, reason, reasonCode, failures, activeAt, asleepSince, id } = workspace;
  const version = observedVersion && observedVersion !== desiredVersion ? `${observedVersion} (to be ${desiredVersion})` : desiredVersion;
  return [
    `${url}  ${status}${asleepSince ? ", asleep" : ""}${workspace.desiredState === "deleted" ? ", deleted" : ""}`,
    `${engine} ${version}, ${memoryMb} MB, ${host ? `on the host ${host}` : "on no host yet"}, id ${id}`,
    ...(reason ? [`${reasonCode ?? "reason"}: ${reason}`] : []),
    ...(failures > 0 ? [`${failures} ${failures === 1 ? "failure" : "failures"} in a row`] : []),
    ...(workspace.reconcileAt ? [`next look at ${stamp(workspace.reconcileAt)}`] : []),
    activeAt ? `last used ${sinceThen(activeAt, now)}` : "never used",
  ];
}

function actorOf(userId: string | null, after: unknown): string {
  if (userId !== null) return "by a person of the account";
  const operator = typeof after === "object" && after !== null && "operator" in after ? after.operator : undefined;
  return typeof operator === "string" ? `by the operator ${operator}` : "by the service";
}
