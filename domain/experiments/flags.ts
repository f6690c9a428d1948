/** Feature flags through OpenFeature, so that an operator's provider can replace ours without other changes. */
import { createHash } from "node:crypto";
import { InMemoryProvider, OpenFeature, type Provider } from "@openfeature/server-sdk";
import type { Log } from "#platform/log.ts";
import { experiments as running, type Experiment } from "./experiments.ts";

/** Maps each flag to a person's variant; empty if the flags cannot be evaluated. */
export type EvaluateFlags = (person: string | null) => Promise<Record<string, string>>;

let domains = 0;

/** Registers the provider under a new domain, so that two services in one process do not share one. */
export async function createFlags(
  log: Log,
  {
    experiments = running,
    provider = ownProvider(experiments),
  }: { experiments?: Readonly<Record<string, Experiment>>; provider?: Provider } = {},
): Promise<EvaluateFlags> {
  const domain = `slipway-${(domains += 1)}`;
  await OpenFeature.setProviderAndWait(domain, provider).catch((error: unknown) =>
    log.warn({ err: error }, "the feature flag provider did not start"),
  );
  const client = OpenFeature.getClient(domain);
  return async (person) => {
    // Without an id, a person could not get the same variant twice.
    if (person === null) return {};
    const flags: Record<string, string> = {};
    for (const [name, { variants }] of Object.entries(experiments)) {
      const { value, errorCode, errorMessage } = await client.getStringDetails(name, "", { targetingKey: person });
      if (errorCode) log.warn({ flag: name, errorCode, errorMessage }, "a flag could not be evaluated");
      else if (variants.includes(value)) flags[name] = value;
    }
    return flags;
  };
}

/** A provider that assigns variants by hash. */
function ownProvider(experiments: Readonly<Record<string, Experiment>>): Provider {
  const flags = Object.entries(experiments).map(([name, experiment]) => [
    name,
    {
      disabled: false,
      variants: Object.fromEntries(experiment.variants.map((variant) => [variant, variant])),
      defaultVariant: experiment.variants[0],
      contextEvaluator: ({ targetingKey = "" }: { targetingKey?: string | undefined }) => assignVariant(name, experiment, targetingKey),
    },
  ]);
  return new InMemoryProvider(Object.fromEntries(flags));
}

/** 10,000 buckets: a share can be set to a hundredth of a percent. */
const buckets = 10_000;

/** A person's variant: always the same, independent between experiments, and without anything stored. */
export function assignVariant(name: string, { variants: [control, ...others], percent }: Experiment, person: string): string {
  const bucket = createHash("sha256").update(`${name}:${person}`).digest().readUInt32BE(0) % buckets;
  const treated = Math.round((percent / 100) * buckets);
  if (bucket >= treated || others.length === 0) return control;
  return others[Math.floor((bucket * others.length) / treated)] ?? control;
}
