/** What this browser stores about experiments: variants that a tester forced, and those whose exposure was recorded. */
import type { StoredValues } from "../../lib/browser/stored-value.ts";

type Variants = Readonly<Record<string, string>>;

const overridesKey = "slipway.experiment-overrides";
const trackedKey = "slipway.tracked-experiments";

/** Variants chosen on the testers' page. */
export const readOverrides = (values: StoredValues): Variants => read(values, overridesKey);

/** Forces a variant in this browser; null returns to the assigned one. False if it could not be stored. */
export const writeOverride = (values: StoredValues, name: string, variant: string | null): boolean =>
  write(values, overridesKey, name, variant);

/** Records an exposure through `track`, once per browser and variant. One that was not delivered is retried later. */
export function recordExposure(values: StoredValues, name: string, variant: string, track: () => boolean): void {
  if (read(values, trackedKey)[name] === variant) return;
  if (track()) write(values, trackedKey, name, variant);
}

function read(values: StoredValues, key: string): Variants {
  try {
    const kept: unknown = JSON.parse(values.read(key) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

function write(values: StoredValues, key: string, name: string, variant: string | null): boolean {
  const { [name]: _former, ...others } = read(values, key);
  return values.write(key, JSON.stringify(variant === null ? others : { ...others, [name]: variant }));
}
