/** The checklist of an account's first days: each step is a fact that the service knows. */
import { z } from "zod";
import { firstDaySteps } from "../account-values.ts";
import { defineRoute } from "../../api/route.ts";

export const firstDays = z
  .object({
    steps: z.array(z.object({ name: z.enum(firstDaySteps), isDone: z.boolean() })),
    isOver: z.boolean().meta({ description: "every step is done, or the owner dismissed the list" }),
  })
  .meta({ id: "FirstDays" });
export type FirstDays = z.infer<typeof firstDays>;

export const getFirstDays = defineRoute({
  method: "GET",
  path: "/account/first-days",
  tag: "Sign-up",
  summary: "What the owner has done with the workspace so far; a finished step stays finished",
  auth: "session",
  success: { status: 200, body: firstDays },
  writes: "question",
  problems: [],
});

export const restoreFirstDays = defineRoute({
  method: "PUT",
  path: "/account/first-days",
  tag: "Sign-up",
  summary: "Show the first-days checklist again after it was hidden",
  auth: "session",
  success: { status: 204, body: null },
  problems: [],
});

export const dismissFirstDays = defineRoute({
  method: "DELETE",
  path: "/account/first-days",
  tag: "Sign-up",
  summary: "Hide the first-days checklist on every device",
  auth: "session",
  success: { status: 204, body: null },
  problems: [],
});
