/** A customer with a workspace, what this run did there, and what it therefore expects. */
import type { Customer } from "#testing/program/slipway-customer.ts";
import type { Letter } from "./engines/engine-hands.ts";

/** What its sender knows about a webhook: answered 200, refused before it was passed on, or neither. */
export type Fate = "answered" | "refused" | "unknown";

export interface Tenant {
  customer: Customer;
  /** Whether there should be a workspace now. */
  exists: boolean;
  /** The marker in the workspace now; null in a new one. */
  marker: string | null;
  /** Calls that were accepted, by the action of their audit row. */
  accepted: Map<string, number>;
  /** The marker in each successful backup. */
  backups: Map<string, string | null>;
  /** Since the workspace was created. */
  letters: Map<string, { letter: Letter; fate: Fate }>;
  /** Letters to all of the account's workspaces. */
  sent: number;
}

export const newTenant = (customer: Customer): Tenant => ({
  customer,
  exists: true,
  marker: null,
  accepted: new Map(),
  backups: new Map(),
  letters: new Map(),
  sent: 0,
});

/** One more accepted call with this audit row. */
export function countAccepted({ accepted }: Tenant, action: string): void {
  accepted.set(action, (accepted.get(action) ?? 0) + 1);
}
