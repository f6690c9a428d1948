/** The service's own calls: what the panel needs before a user is signed in, and the development inbox. */
import { z } from "zod";
import { defineRoute } from "./api/route.ts";
import { engineNames } from "./workspaces/engine-names.ts";

export const frontEndConfig = defineRoute({
  method: "GET",
  path: "/fe/config",
  tag: "Service",
  summary: "Feature flags and the settings the panel needs",
  auth: "none",
  query: z.object({
    anonymousId: z
      .string()
      .regex(/^[\w-]{8,64}$/, "value.invalid")
      .optional(),
  }),
  success: {
    status: 200,
    body: z.object({
      featureFlags: z.record(z.string(), z.string()).meta({ description: "variant by flag: the account's, or the anonymous id's" }),
      analytics: z.object({
        postHog: z.object({ key: z.string(), host: z.string() }).nullable(),
        tagManager: z.object({ id: z.string() }).nullable(),
      }),
      errorReports: z.object({ dsn: z.string(), environment: z.string() }).nullable(),
      engine: z.enum(engineNames),
      n8nLicense: z.boolean().meta({ description: "whether the operator has an n8n license for the plans that include it" }),
      workspaceMemoryMb: z.number().int().meta({ description: "memory of a workspace whose plan sets no other amount" }),
      lastBackupDays: z.number().int().meta({ description: "days for which the last backup of a deleted workspace is kept" }),
      workspaceHost: z.string().meta({ description: "workspaces live at {account}.{workspaceHost}" }),
      developmentInbox: z.boolean(),
      sandbox: z.boolean().meta({ description: "payments are simulated, and the service's clock can be moved" }),
      now: z.iso.datetime().meta({ description: "the service's time: the browser's clock may be wrong" }),
      clockAheadMs: z.number().int().meta({ description: "how far the service's clock is ahead of the machine's; 0 outside the sandbox" }),
      instanceOperations: z.boolean().meta({ description: "false while workspaces cannot be set up, restarted or changed" }),
      supportEmail: z.string(),
      links: z.object({ status: z.string(), impressum: z.string(), privacy: z.string(), terms: z.string() }),
    }),
  },
  problems: [],
});

export const inboxMessage = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  links: z.array(z.string()),
  sentAt: z.iso.datetime(),
});

export const developmentInbox = defineRoute({
  method: "GET",
  path: "/dev/inbox",
  tag: "Development",
  summary: "Emails kept instead of being sent, newest first; absent in production and with SMTP_URL",
  auth: "none",
  success: { status: 200, body: z.object({ messages: z.array(inboxMessage) }) },
  problems: ["not_found"],
});
