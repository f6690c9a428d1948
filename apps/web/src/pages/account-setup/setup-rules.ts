/** What may be entered into the form of the first launch. */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { workspacePurposes } from "#contract/accounts/account-values.ts";
import * as fields from "#contract/api/fields.ts";

export const setupRules = zodResolver(
  z.object({ timezone: fields.timezone, purpose: z.enum(["", ...workspacePurposes]), version: z.string() }),
);
