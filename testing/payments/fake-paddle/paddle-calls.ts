/** All calls, over the sandbox's tables. Parameters and body members that are not in Paddle's reference are refused. */
import { customerCalls } from "./customer-calls.ts";
import type { Call } from "./paddle-world.ts";
import { subscriptionCalls } from "./subscription-calls.ts";
import { transactionCalls } from "./transaction-calls.ts";

export const paddleCalls: readonly Call[] = [...customerCalls, ...transactionCalls, ...subscriptionCalls];
