/** A charge as a bank is asked for it, and its answer. */
export interface Charge {
  at: Date;
  amount: number;
  /** `renewal`: a recurring amount, including requested retries. `new-card`: the customer is entering the card. */
  occasion: "new-card" | "change" | "renewal";
  /** Whether the customer has just confirmed with their bank. */
  confirmed: boolean;
  /** Earlier failed attempts on this invoice. */
  failedBefore: number;
}

export type ChargeOutcome =
  | { kind: "paid" }
  /** `hard`: the bank will keep declining until the card changes. */
  | { kind: "declined"; hard: boolean; reason: string }
  | { kind: "confirm"; reason: string };

/** The customer's card and the bank behind it; none or an expired card declines. A charge of zero always succeeds. */
export type Bank = (charge: Charge) => ChargeOutcome;
