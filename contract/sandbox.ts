/** What testers of the sandbox can do: move the service's clock, and disrupt webhooks. Absent in production and with a real provider. */
import { z } from "zod";
import { defineRoute } from "./api/route.ts";

const development = { tag: "Development", auth: "none" } as const;

const clockState = z.object({
  now: z.iso.datetime().meta({ description: "the service's time" }),
  aheadMs: z.number().int().meta({ description: "how far it is ahead of the machine's clock" }),
  settled: z.boolean().meta({ description: "false: some due work is still in progress" }),
});

export const getClock = defineRoute({
  ...development,
  method: "GET",
  path: "/dev/clock",
  summary: "The service's time",
  success: { status: 200, body: clockState },
  problems: ["not_found"],
});

/** How far to move the clock, such as "14d"; also calendar months, hours, minutes and seconds. */
export const clockStep = z.string().regex(/^[1-9]\d{0,3}(mo|d|h|m|s)$/, "value.invalid");

export const moveClock = defineRoute({
  ...development,
  method: "POST",
  path: "/dev/clock",
  summary: "Moves the service's time forward and runs all work that becomes due; sessions stay signed in",
  body: z.object({ advance: clockStep }),
  success: { status: 200, body: clockState },
  problems: ["not_found"],
});

const webhooks = z.object({
  delaySeconds: z.number().int().min(0).max(2_592_000),
  duplicate: z.boolean(),
  reorder: z.boolean(),
  drop: z.boolean(),
});

const sandboxState = z.object({
  webhooks: webhooks.extend({
    waiting: z.number().int(),
    dropped: z.number().int(),
    lastError: z.string().nullable(),
  }),
});

export const getSandbox = defineRoute({
  ...development,
  method: "GET",
  path: "/dev/sandbox",
  summary: "The failures that the payment sandbox simulates, and the webhooks it is holding back",
  success: { status: 200, body: sandboxState },
  problems: ["not_found"],
});

export const changeSandbox = defineRoute({
  ...development,
  method: "POST",
  path: "/dev/sandbox",
  summary:
    "Delays, duplicates, reorders or drops webhooks from now on; resends dropped or the newest ones; refunds a customer's newest invoice in full or in part, or simulates a chargeback for it",
  body: z.object({
    webhooks: webhooks.partial().optional(),
    send: z.enum(["dropped", "newest"]).optional(),
    refundCustomer: z.string().min(1).max(100).optional(),
    refundAmount: z
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .meta({ description: "the part of the invoice to refund, in minor units; all of it if omitted" }),
    disputeCustomer: z.string().min(1).max(100).optional(),
  }),
  success: { status: 200, body: sandboxState },
  problems: ["not_found"],
});
