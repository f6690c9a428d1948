/** What each call does, in the sandbox's world. Parameters and members of a body that Paddle's reference does not list are refused. */
import { customerCalls } from "./customer-calls.ts";
import type { Call } from "./paddle-world.ts";
import { subscriptionCalls } from "./subscription-calls.ts";
import { transactionCalls } from "./transaction-calls.ts";

export const paddleCalls: readonly Call[] = [...customerCalls, ...transactionCalls, ...subscriptionCalls];
