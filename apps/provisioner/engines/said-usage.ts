/**
 * The usage that a workspace reports, in one shape for every engine. It runs beside its customer's code, so the report is validated before
 * use.
 */
import { z } from "zod";
import * as fields from "#contract/api/fields.ts";
import { asOneLine } from "#contract/api/printable-text.ts";
import type { EngineUsage } from "./port/engine-usage.ts";

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/**
 * Letters, digits, underscore and dash, so that the database accepts it: a workspace must not be able to break the reading of its usage.
 */
const life = z.string().regex(/^[\w-]{1,64}$/);
const counter = z.object({
  epoch: life,
  period: z.union([z.literal("").transform(() => null), z.iso.datetime().transform((text) => new Date(text))]),
  date: z.iso.date(),
  executions: count,
  failed: count,
});

/**
 * Requests from the tool's editor. Older releases and other tools have none; an invalid one must not prevent counting, or drop the others.
 */
/** A name without characters that are invisible, cannot be stored, or change the direction of the text. */
const shownName = z.string().transform((text) =>
  Array.from(asOneLine(text.slice(0, 1000)))
    .slice(0, 100)
    .join(""),
);

const request = z.union([
  z.object({ id: z.uuid(), kind: z.literal("confirmation-mail") }),
  // The address is validated as in the panel's own forms; the path is a link within the tool and leads to no other host.
  z.object({
    id: z.uuid(),
    kind: z.literal("password-mail"),
    email: fields.email,
    path: z
      .string()
      .max(2000)
      .regex(/^\/change-password\?[\w\-.~%=&]+$/),
  }),
  z.object({ id: z.uuid(), kind: z.literal("invitation"), email: fields.email }),
  z.object({
    id: z.uuid(),
    kind: z.literal("nodes-held-back"),
    nodes: z
      .array(z.string().regex(/^[\w@./+ -]{1,200}$/))
      .min(1)
      .max(20),
  }),
  z.object({ id: z.uuid(), kind: z.literal("workflows-interrupted"), workflows: z.array(shownName).min(1).max(5) }),
  z.object({ id: z.uuid(), kind: z.literal("event"), name: z.string().regex(/^[\w .:-]{1,60}$/) }),
]);

/** As for requests, an invalid one does not prevent counting, or drop the others. */
const workflow = z.object({ id: z.string().regex(/^[\w-]{1,64}$/), name: shownName, executions: count, failed: count });
const mostWorkflows = 20;
const busiest = z
  .object({ period: z.iso.datetime(), workflows: z.array(z.unknown()).max(mostWorkflows) })
  .transform(({ period, workflows }) => ({
    periodStart: new Date(period),
    workflows: workflows
      .flatMap((given) => workflow.safeParse(given).data ?? [])
      .toSorted((one, other) => other.executions - one.executions),
  }))
  .optional()
  .catch(undefined);

/** More than a workspace keeps: 50 events, 50 mails and one more. */
const mostRequests = 120;

/** Parses an engine's usage report; refuses impossible dates and figures. */
export const saidUsage = z
  .object({
    plan: z.string().max(100).nullable(),
    executions: count,
    activeWorkflows: z.number().int().min(0).max(1_000_000),
    // Only a checklist depends on it: a strange figure does not spoil the report.
    workflows: z.number().int().min(0).max(1_000_000).optional().catch(undefined),
    // A workspace started by an older release reports another form: its statistics are unknown.
    statistics: z.object({ life, succeeded: count, unfinished: count }).nullable().catch(null),
    counters: z.array(counter).max(1500),
    busiest,
    requests: z
      .array(z.unknown())
      .max(mostRequests)
      .default([])
      .catch([])
      .transform((given) => given.flatMap((each) => request.safeParse(each).data ?? [])),
  })
  .transform(({ counters, ...rest }): EngineUsage => ({
    ...rest,
    counters: counters.map(({ period, ...counted }) => ({ ...counted, periodStart: period })),
  }));
