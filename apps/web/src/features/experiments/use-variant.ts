/** The variant of an experiment that this person sees. */
import { useEffect } from "react";
import { analytics, useIsConnected } from "../../lib/analytics/analytics.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { createStore, useStore } from "../../lib/store.ts";
import { localValues } from "../../lib/browser/stored-value.ts";
import { readOverrides, recordExposure, writeOverride } from "./experiment-choices.ts";

const overrides = createStore<Readonly<Record<string, string>> | undefined>(undefined);

const currentOverrides = () => overrides.get() ?? readOverrides(localValues);

/** The variant; `undefined` while or if there is none, and then everything is as without the experiment. Seeing it is recorded once. */
export function useVariant(name: string): string | undefined {
  const { featureFlags } = useFrontEndConfig();
  const assigned = featureFlags[name];
  const forced = useOverrides()[name];
  const isConnected = useIsConnected();
  // Again once the visitor allows analytics: they still see the variant, and may never open this page again.
  useEffect(() => {
    // A tester's view of the other variant says nothing about customers.
    if (assigned && !forced)
      recordExposure(localValues, name, assigned, () => analytics.track("User is part of experiment", { name, variant: assigned }));
  }, [name, assigned, forced, isConnected]);
  return forced ?? assigned;
}

/** What testers chose in this browser. */
export const useOverrides = (): Readonly<Record<string, string>> => useStore(overrides) ?? readOverrides(localValues);

/** Stores a choice for this browser; null returns to the assigned variant. False if it will be forgotten with the page. */
export function overrideVariant(name: string, variant: string | null): boolean {
  const isKept = writeOverride(localValues, name, variant);
  const { [name]: _former, ...others } = currentOverrides();
  overrides.set(variant === null ? others : { ...others, [name]: variant });
  return isKept;
}
