/**
 * A form's rules, fetched while the user reads the form: the schema library is a sixth of a page's weight, and no field needs it before it
 * is left.
 */
import { useCallback, useEffect, useRef } from "react";
import type { FieldValues, Resolver } from "react-hook-form";
import { whenIdle } from "../first-view/when-idle.ts";

/**
 * Checks with the rules that `load` fetches, and waits for them if necessary. If they cannot be fetched, nothing is refused here: the API
 * checks the same rules, and its refusals are shown at the fields.
 */
export function useLateRules<Values extends FieldValues>(load: () => Promise<Resolver<Values>>): Resolver<Values> {
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => whenIdle(() => latest.current()), []);
  return useCallback<Resolver<Values>>(async (values, context, options) => {
    // Without a reload, unlike a page's other parts: what was typed would be lost.
    const rules = await latest.current().catch((error: unknown) => {
      console.warn("The form's rules could not be fetched.", error);
      return null;
    });
    return rules ? rules(values, context, options) : { values, errors: {} };
  }, []);
}
