/**
 * `npm run test:stripe`: tests the Stripe adapter with a real test account. Without a key it says what is left out; it never accepts a live
 * one.
 */
import { join } from "node:path";
import { root } from "./root.mjs";
import { runChild } from "./process/run-child.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { runMain, Trouble } from "./process/trouble.mjs";

await runMain(async () => {
  const key = process.env.STRIPE_TEST_KEY;
  if (!key) {
    console.log(
      "Skipped: the tests with a real Stripe account (testing/payments/real-stripe.suite.ts). Set STRIPE_TEST_KEY to your test key to run them.",
    );
    return 0;
  }
  if (!/^(sk|rk)_test_/.test(key)) throw new Trouble("STRIPE_TEST_KEY must be a key of Stripe's test mode (sk_test_… or rk_test_…).");
  const { node, env } = await setUp({ development: true });
  return runChild(node, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--config", join(root, "vitest.stripe.config.ts")], {
    cwd: root,
    env,
  });
});
