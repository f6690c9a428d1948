/** Money on the wire: integer minor units and an ISO currency, never a float. */
import { z } from "zod";

/** ISO 4217, upper case. */
export const currency = z.string().regex(/^[A-Z]{3}$/);

/** `amount` is in minor units of `currency` (cents); negative if the customer gets money back. */
export const money = z.object({ amount: z.number().int(), currency }).meta({ id: "Money" });
export type Money = z.infer<typeof money>;
