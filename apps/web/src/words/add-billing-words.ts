/** Imported by everything that shows plans, a checkout or a subscription. */
import { billingWords, checkoutWords, planWords } from "../features/billing/words.ts";
import { addWords } from "./words-of.ts";

addWords({ billing: billingWords, plans: planWords, checkout: checkoutWords });
