/** `npm run test:stripe` (tools/test-stripe.mjs): the stories at a real Stripe, one after the other, because its test clocks take time. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { environment: "node", include: ["testing/payments/real-stripe.suite.ts"], testTimeout: 30 * 60_000, fileParallelism: false },
});
