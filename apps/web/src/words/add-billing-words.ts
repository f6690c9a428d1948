/** Imported by everything that shows plans, a checkout or a subscription. */
import { billingWords, checkoutWords, planWords } from "./en-billing.ts";
import { addWords } from "./words.ts";

addWords({ billing: billingWords, plans: planWords, checkout: checkoutWords });
