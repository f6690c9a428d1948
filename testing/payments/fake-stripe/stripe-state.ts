/** The fake Stripe's records, in Stripe's terms. Times are Unix seconds and amounts minor units, as at Stripe. */
import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { KeptCard } from "#payments/sandbox/test-cards.ts";
import type { Clock } from "#platform/clock.ts";

export interface Price {
  id: string;
  /** The catalogue's entry, such as `pro-1-monthly`, from the price's metadata. */
  entry: string;
  label: string;
  /** Unique among prices; a new price can take it over (`transfer_lookup_key`). */
  lookupKey: string | null;
  active: boolean;
  metadata: Record<string, string>;
  recurring: { interval: "day" | "month" | "year"; count: number };
  /** By currency, upper case. */
  amounts: Readonly<Record<string, number>>;
}

export interface Method {
  id: string;
  customer: string | null;
  card: KeptCard;
  created: number;
}

export interface TaxId {
  id: string;
  type: string;
  value: string;
}

type Address = Record<"line1" | "line2" | "postal_code" | "city" | "country", string | null>;

export interface Customer {
  id: string;
  created: number;
  email: string;
  name: string;
  metadata: Record<string, string>;
  address: Address | null;
  /** Below zero: credit to the customer. */
  balance: number;
  /** The card in `invoice_settings`, charged if a subscription has none itself. */
  defaultMethod: string | null;
  taxIds: TaxId[];
  /** By staff: only its id and its invoices are left. */
  deleted?: boolean;
}

export interface Item {
  id: string;
  price: string;
  quantity: number;
}

interface PendingUpdate {
  expiresAt: number;
  items: Item[];
  resetsPeriod: boolean;
  invoice: string;
}

export interface Subscription {
  id: string;
  customer: string;
  created: number;
  status: string;
  currency: string;
  metadata: Record<string, string>;
  items: Item[];
  anchor: number;
  periods: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  endedAt: number | null;
  pausedAt: number | null;
  /** Why it is paused; the retries of its payment failed if absent. */
  pauseType?: "pause_requested";
  /** Staff have paused the collection of its payments, not the subscription. */
  pauseCollection?: Stripe.Subscription.PauseCollection.Behavior;
  /** What a coupon of staff's takes off each invoice, in percent. */
  percentOff?: number;
  /** The end of free days that staff gave it. */
  trialEnd?: number;
  /** The subscription's own card, charged before the customer's. */
  defaultMethod: string | null;
  latestInvoice: string | null;
  pending: PendingUpdate | null;
  schedule: string | null;
  /** The invoice of an unpaid resumption. */
  resumption: string | null;
  /** Planned retries of the open renewal. */
  tries: number[];
  /** When an unpaid renewal pauses it. */
  givesUpAt: number | null;
}

interface Phase {
  start: number;
  end: number;
  items: { price: string; quantity: number }[];
}

export interface Schedule {
  id: string;
  subscription: string;
  status: "active" | "released" | "canceled";
  phases: Phase[];
}

export interface Line {
  label: string;
  quantity: number;
  amount: number;
  isProration: boolean;
  start: number;
  end: number;
  price: string;
  /** Of the invoice item that it came from. */
  metadata?: Record<string, string>;
  /** The invoice that charged the time it credits. */
  credits?: string | undefined;
}

export interface Tax {
  amount: number;
  inclusive: boolean;
  taxable: number;
  percent: number;
  rate: string;
}

export interface Invoice {
  id: string;
  customer: string;
  /** Null: staff wrote it by hand. */
  subscription: string | null;
  status: "draft" | "open" | "paid" | "void";
  reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "manual";
  currency: string;
  created: number;
  finalizesAt: number;
  finalizedAt: number | null;
  lines: Line[];
  /** What a coupon takes off the lines, before tax. */
  discount: number;
  tax: Tax | null;
  total: number;
  amountDue: number;
  startingBalance: number;
  /** Null until it is finalised. */
  endingBalance: number | null;
  /** The customer's details when it was finalised. */
  buyer: { name: string; address: Address | null; taxIds: TaxId[] };
  metadata?: Record<string, string>;
  intent: { status: "requires_payment_method" | "requires_action" | "succeeded"; reason: string | null };
}

export interface PendingItem {
  id: string;
  customer: string;
  subscription: string;
  metadata: Record<string, string>;
  line: Line;
}

export interface Charge {
  id: string;
  invoice: string;
  customer: string;
  created: number;
  amount: number;
  currency: string;
  status: "succeeded" | "failed";
  reason: string | null;
  card: KeptCard | null;
  amountRefunded: number;
}

export interface Refund {
  id: string;
  created: number;
  charge: string;
  amount: number;
  status: "succeeded" | "pending" | "failed";
}

export interface Dispute {
  id: string;
  charge: string;
  status: Stripe.Dispute["status"];
}

export interface CheckoutSession {
  id: string;
  customer: string;
  currency: string;
  items: { price: string; quantity: number }[];
  metadata: Record<string, string>;
  reference: string;
  status: "open" | "complete" | "expired";
  expiresAt: number;
  subscription: string | null;
}

/** A sent event, with the object as it was then. */
interface SentEvent {
  id: string;
  type: string;
  created: number;
  object: object;
  previous?: object;
}

/** Makes the next matching call fail. `isDone`: it is carried out first, and only the answer is lost. */
interface Fault {
  call: RegExp;
  status: number;
  isDone: boolean;
}

export interface State {
  clock: Clock;
  isTaxInclusive: (currency: string) => boolean;
  /** What the account's settings do with a subscription after its last retry fails. */
  afterTries: "paused" | "unpaid";
  prices: Map<string, Price>;
  methods: Map<string, Method>;
  customers: Map<string, Customer>;
  subscriptions: Map<string, Subscription>;
  schedules: Map<string, Schedule>;
  invoices: Map<string, Invoice>;
  charges: Map<string, Charge>;
  /** Items that wait for their subscription's next invoice. */
  pendingItems: Map<string, PendingItem>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  checkouts: Map<string, CheckoutSession>;
  /** Portal sessions by id: the customer, and where the page leads back to. */
  portals: Map<string, { customer: string; returnUrl: string; leadsBack: boolean }>;
  events: SentEvent[];
  faults: Fault[];
}

export function createState(clock: Clock, prices: readonly Price[], options: Pick<State, "isTaxInclusive" | "afterTries">): State {
  return {
    clock,
    ...options,
    prices: new Map(prices.map((price) => [price.id, price])),
    methods: new Map(),
    customers: new Map(),
    subscriptions: new Map(),
    schedules: new Map(),
    invoices: new Map(),
    charges: new Map(),
    pendingItems: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    checkouts: new Map(),
    portals: new Map(),
    events: [],
    faults: [],
  };
}

export const newStripeId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);
export const nowOf = ({ clock }: State): number => secondsOf(clock.now());
