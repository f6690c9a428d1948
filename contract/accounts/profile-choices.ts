import { z } from "zod";
import { optionalMails } from "./account-values.ts";
import { languages } from "./language.ts";

export const languageChoice = z.enum(languages).nullable().meta({ description: "null: follows the browser" });

export const mutedMails = z.array(z.enum(optionalMails)).max(optionalMails.length);

export const profile = z
  .object({
    language: languageChoice,
    timezone: z.string().nullable().meta({ description: "timezone in which the panel shows times; null: the browser's" }),
    mutedMails,
    revision: z.string().meta({
      description: "version of these values and the name; send it back with a change to have a change based on older values refused",
    }),
  })
  .meta({ id: "Profile" });
