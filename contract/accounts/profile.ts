/** A person's own choices: their name, the panel's language and timezone, and which mails they want. */
import { z } from "zod";
import * as fields from "../api/fields.ts";
import { defineRoute } from "../api/route.ts";
import { user } from "./account.ts";
import { languageChoice, mutedMails } from "./profile-choices.ts";

export const profileChange = z
  .object({
    fullName: fields.fullName,
    language: languageChoice,
    timezone: fields.timezone.nullable(),
    mutedMails,
    revision: z
      .string()
      .max(100)
      .meta({ description: "the change is refused if the profile is no longer at this version; if omitted, it is applied in any case" }),
  })
  .partial()
  .meta({ id: "ProfileChange" });
export type ProfileChange = z.infer<typeof profileChange>;

export const changeProfile = defineRoute({
  method: "PATCH",
  path: "/account/profile",
  tag: "Account",
  summary: "Change the name, language, display timezone, or which emails are sent; omitted fields are unchanged",
  auth: "session",
  body: profileChange,
  success: { status: 200, body: z.object({ user }) },
  problems: ["password_needed", "changed_elsewhere"],
});
