/**
 * Paddle answers 240 calls a minute from one address (developer.paddle.com/api-reference/about/rate-limiting, read 2026-11-29), and a
 * minute of refusals follows the 241st. So calls are counted, and work that can wait leaves a quarter of them to customers' clicks, or as
 * many as they make. Without a counter only Paddle's own refusals count.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Paddle } from "@paddle/paddle-node-sdk";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import { forgetReads, readOnce } from "#platform/loops/read-once.ts";
import { currentRequestId } from "#platform/tracing/current-work.ts";
import { ProviderUnreachable, type PaymentProvider } from "../payment-provider.ts";

export const callsPerMinute = 240;
export const keptForCustomers = 60;
/**
 * Calls are counted in windows of this length, each with its share of a minute's calls. In windows of a minute, what is used at the end of one
 * and the beginning of the next would be up to twice a minute's; in these, background work has at most 225 in any minute.
 */
export const countedMs = 15 * secondMs;
const windowsAMinute = minuteMs / countedMs;

/** Adds `calls` to the count of all processes in the current window of `countedMs`; returns the sum, and the seconds until the window ends. */
export type CountCalls = (who: "customers" | "background", calls: number) => Promise<{ calls: number; waitSeconds: number }>;

/** Reads that background work repeats later, and how many calls each usually takes. What is not listed is never put off. */
const deferrable: Readonly<Partial<Record<keyof PaymentProvider, number>>> = {
  readSubscription: 5,
  listInvoices: 2,
  nextPayment: 1,
  // With the subscription that was bought there, which is read next.
  readCheckout: 6,
  listPage: 1,
  saveEmail: 2,
};

/** Calls that are counted already. */
interface Reserved {
  left: number;
}

export interface Meter {
  /** The same provider, whose deferrable reads throw ProviderUnreachable with `retryAfterMs` while background work has used its share. */
  watch(provider: PaymentProvider): PaymentProvider;
  /** Counts every request of the library, and makes none while Paddle refuses them. Within `readingOnce`, each address is read once. */
  follow(paddle: Paddle): void;
}

/** What Paddle's library makes its requests with; it offers no other place to see them. */
type Client = Record<
  "get" | "post" | "patch" | "delete",
  (url: string, ...rest: { toQueryString?(): string }[]) => Promise<object | undefined>
>;

export function createMeter(clock: Clock, count?: CountCalls): Meter {
  const reservations = new AsyncLocalStorage<Reserved>();
  let refusedUntil = new Date(0);

  const busy = (why: string, waitMs: number) =>
    Object.assign(new ProviderUnreachable(`Paddle was not asked: ${why}`), { retryAfterMs: waitMs });

  function refuseWhileRefused(): void {
    const waitMs = refusedUntil.getTime() - clock.now().getTime();
    // Later than Paddle ever asks: the clock was set back.
    if (waitMs > longestRefusalMs) refusedUntil = new Date(0);
    else if (waitMs > 0) throw busy("it refuses calls for now", waitMs);
  }

  /** Counts what a piece of background work will take, before it begins. */
  async function reserve(calls: number): Promise<Reserved> {
    refuseWhileRefused();
    if (!count || isCustomer()) return { left: 0 };
    const [ours, theirs] = [await count("background", calls), await count("customers", 0)];
    if (ours.calls > callsPerMinute / windowsAMinute - Math.max(keptForCustomers / windowsAMinute, theirs.calls))
      throw busy("the rest of the calls is kept for customers for now", ours.waitSeconds * secondMs);
    return { left: calls };
  }

  async function countOne(): Promise<void> {
    refuseWhileRefused();
    const reserved = reservations.getStore();
    if (reserved && reserved.left > 0) reserved.left -= 1;
    else await count?.(isCustomer() ? "customers" : "background", 1);
  }

  /** Notes a refusal for too many calls, with the time that Paddle asks to wait. */
  function noteRefusal(answer: object | undefined, sentAt: Date): void {
    const raw = answer && Object.getOwnPropertySymbols(answer).map((symbol) => (answer as Record<symbol, unknown>)[symbol]);
    const refused = raw?.find((each) => each instanceof Response && each.status === 429) as Response | undefined;
    if (!refused) return;
    const seconds = Number(refused.headers.get("retry-after"));
    refusedUntil = after(sentAt, Math.min(seconds > 0 ? seconds * secondMs : minuteMs, longestRefusalMs));
  }

  return {
    watch: (provider) =>
      new Proxy(provider, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          const calls = deferrable[name as keyof PaymentProvider];
          if (typeof member !== "function" || calls === undefined) return member;
          return async (...given: unknown[]) => {
            // One look at Paddle is allowed or put off as a whole: what follows it reads little or nothing more.
            const reserved = await readOnce("Paddle's calls", () => reserve(calls));
            return reservations.run(reserved, () => Reflect.apply(member, target, given) as Promise<unknown>);
          };
        },
      }),
    follow(paddle) {
      const { client } = paddle as unknown as { client: Client };
      for (const method of ["get", "post", "patch", "delete"] as const) {
        const send = client[method].bind(client);
        const counted: Client["get"] = async (...request) => {
          await countOne();
          const sentAt = clock.now();
          const answer = await send(...request);
          noteRefusal(answer, sentAt);
          return answer;
        };
        client[method] =
          method === "get"
            ? (url, ...rest) => readOnce(`Paddle ${url}${rest[0]?.toQueryString?.() ?? ""}`, () => counted(url, ...rest), isAnswer)
            : (...request) => {
                forgetReads();
                return counted(...request).finally(forgetReads);
              };
      }
    },
  };
}

const isAnswer = (answer: object | undefined): boolean => answer !== undefined && !("error" in answer);

/** The longest that Paddle is ever left alone for one refusal. */
const longestRefusalMs = 60 * minuteMs;

/** A customer waits for whatever a request of the API does. */
const isCustomer = (): boolean => currentRequestId() !== undefined;
