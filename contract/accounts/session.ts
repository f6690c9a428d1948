/** A user's sessions, and how to end them. */
import { z } from "zod";
import { defineRoute } from "../api/route.ts";

/** `magic-link`: by a mailed link. `workspace`: by the person's own workspace. `operator`: by the service's operator. */
export const sessionOpenings = ["password", "magic-link", "workspace", "operator"] as const;

/** Days after which a session ends: counted from signing in, and from its last use. */
export const sessionDays = { longest: 30, unused: 14 } as const;

/** Longer lists come from programs that sign in each time; all sessions can be ended together. */
export const mostListedSessions = 50;

export const session = z
  .object({
    id: z.string(),
    openedBy: z.enum(sessionOpenings),
    device: z
      .string()
      .nullable()
      .meta({ description: 'browser and system as reported by the browser, such as "Firefox on Windows"; null: not recognized' }),
    address: z.string().nullable().meta({ description: "the IP address that signed in; null: not recorded, or an operator's" }),
    signedInAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().meta({ description: "when it was last used, to the hour" }),
    isCurrent: z.boolean().meta({ description: "the session that made this call" }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

export const listSessions = defineRoute({
  method: "GET",
  path: "/auth/sessions",
  tag: "Sessions",
  summary: "The user's sessions: this one first, then by last use",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      sessions: z.array(session),
      total: z
        .number()
        .int()
        .meta({ description: `total number of sessions; the ${mostListedSessions} most recently used are listed` }),
    }),
  },
  problems: [],
});

export const endSession = defineRoute({
  method: "DELETE",
  path: "/auth/sessions/:id",
  tag: "Sessions",
  summary: "End one of the user's sessions; a session other than this one requires a recently entered password",
  auth: "session",
  params: z.object({ id: z.uuid() }),
  success: { status: 204, body: null },
  problems: ["not_found", "password_needed"],
});

export const endOtherSessions = defineRoute({
  method: "DELETE",
  path: "/auth/sessions",
  tag: "Sessions",
  summary: "End all other sessions of the user, and their pending sign-in links; requires a recently entered password",
  auth: "session",
  success: { status: 200, body: z.object({ ended: z.number().int() }) },
  problems: ["password_needed"],
});
