/** From registering to a running workspace: the steps, the next one, and the chosen apps. */
import { z } from "zod";
import type { FieldCode } from "../../api/field-words.ts";
import { defineRoute } from "../../api/route.ts";
import { onboardingSteps, skippableSteps } from "../account-values.ts";

export const onboarding = z
  .object({
    next: z.enum(onboardingSteps).nullable().meta({ description: "what to do next; null once the workspace has been online" }),
    steps: z.array(z.object({ name: z.enum(onboardingSteps), state: z.enum(["todo", "done", "skipped"]) })),
  })
  .meta({ id: "Onboarding" });
export type Onboarding = z.infer<typeof onboarding>;

const invalid: FieldCode = "value.invalid";

export const skipOnboardingStep = defineRoute({
  method: "POST",
  path: "/account/onboarding/skip",
  tag: "Sign-up",
  summary: "Skip a step of the sign-up; a finished one stays finished",
  auth: "session",
  body: z.object({ step: z.enum(skippableSteps, invalid) }),
  success: { status: 200, body: z.object({ onboarding }) },
  problems: [],
});

/** The name of a node of the engine, such as "n8n-nodes-base.slack" or "@n8n/n8n-nodes-langchain.agent". */
export const nodeName = z.string(invalid).regex(/^[@\w][\w./@-]{0,127}$/, invalid);

/** 500 covers every node of the engine. */
export const mostSelectedApps = 500;

const apps = z.array(nodeName, invalid).max(mostSelectedApps, "apps.too_many" satisfies FieldCode);

export const getSelectedApps = defineRoute({
  method: "GET",
  path: "/account/selected-apps",
  tag: "Sign-up",
  summary: "The chosen apps, in the order they were chosen",
  auth: "session",
  success: { status: 200, body: z.object({ apps: z.array(z.string()) }) },
  problems: [],
});

export const saveSelectedApps = defineRoute({
  method: "POST",
  path: "/account/selected-apps",
  tag: "Sign-up",
  summary: "Save the apps to connect, replacing the earlier choice",
  auth: "session",
  body: z.object({ apps }),
  success: { status: 200, body: z.object({ apps: z.array(z.string()), onboarding }) },
  problems: [],
});
