/** Whether this browser's user allows analytics. Until they do, nothing about them is sent. */
import { createStore, useStore } from "../store.ts";
import { localValues } from "../browser/stored-value.ts";

type Consent = "granted" | "denied" | "undecided";

const consentKey = "slipway.analytics-consent";

function stored(): Consent {
  const value = localValues.read(consentKey);
  return value === "granted" || value === "denied" ? value : "undecided";
}

const consent = createStore<Consent | undefined>(undefined);

/** The stored choice, or `undecided`. */
export const currentConsent = (): Consent => {
  const known = consent.get();
  if (known) return known;
  const read = stored();
  consent.set(read);
  return read;
};

/** Stores a choice; `undecided` asks again. */
export function chooseConsent(choice: Consent): void {
  if (choice === "undecided") localValues.remove(consentKey);
  else localValues.write(consentKey, choice);
  consent.set(choice);
}

export const watchConsent = (listener: () => void): (() => void) => consent.subscribe(listener);
export const useConsent = (): Consent => useStore(consent) ?? stored();
