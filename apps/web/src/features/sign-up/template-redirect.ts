/**
 * The template of a sign-up link. Before there is an account only this browser can remember it; afterwards the account does.
 */
import { localValues, type StoredValues } from "../../lib/browser/stored-value.ts";

const templateIdKey = "slipway.template-id-redirect";

/** The template id of an address, if it is valid; the first one if there are several. */
export const templateIdIn = (items: URLSearchParams): string | null => items.get("templateId")?.match(/^[\w-]{1,64}$/)?.[0] ?? null;

/** Stores the template of this address, if it has one, and returns the one to use. */
export function keepTemplateId(search: string, values: StoredValues = localValues): string | null {
  const found = templateIdIn(new URLSearchParams(search));
  if (found) values.write(templateIdKey, found);
  return found ?? keptTemplateId(values);
}

/** The template stored in this browser; an invalid value counts as none. */
export const keptTemplateId = (values: StoredValues = localValues): string | null => {
  const kept = values.read(templateIdKey);
  return kept ? templateIdIn(new URLSearchParams({ templateId: kept })) : null;
};

/** The account has it now, or it was opened. */
export const forgetTemplateId = (values: StoredValues = localValues): void => values.remove(templateIdKey);
