import { z } from "zod";
import { optionalMails } from "./account-values.ts";
import { languages } from "./language.ts";

export const languageChoice = z.enum(languages).nullable().meta({ description: "null: by the browser" });

export const mutedMails = z.array(z.enum(optionalMails)).max(optionalMails.length);

export const profile = z
  .object({
    language: languageChoice,
    timezone: z.string().nullable().meta({ description: "in which the panel shows times; null: the browser's" }),
    mutedMails,
    revision: z.string().meta({ description: "of these and the name: sent back with a change, it refuses one made on older values" }),
  })
  .meta({ id: "Profile" });
