/** The payment providers for stories that are the same with each: the sandbox and, in `npm run test:all`, also Stripe and Paddle. */
import { isQuickRun } from "../this-run.ts";
import { createPaddleHarness } from "./paddle-harness.ts";
import { createSandboxHarness } from "./sandbox-harness.ts";
import { createStripeHarness } from "./stripe-harness.ts";

const all = [
  ["sandbox", createSandboxHarness],
  ["Stripe", createStripeHarness],
  ["Paddle", createPaddleHarness],
] as const;

/** Name and harness of each, for `test.each`. */
export const eachProvider = isQuickRun ? all.slice(0, 1) : all;
