import { createHash } from "node:crypto";
import type { Experiment } from "./experiments.ts";

/** 10,000 buckets: a share can be set to a hundredth of a percent. */
const buckets = 10_000;

/** A person's variant: always the same, independent between experiments, and without anything stored. */
export function assignVariant(name: string, { variants: [control, ...others], percent }: Experiment, person: string): string {
  const bucket = createHash("sha256").update(`${name}:${person}`).digest().readUInt32BE(0) % buckets;
  const treated = Math.round((percent / 100) * buckets);
  if (bucket >= treated || others.length === 0) return control;
  return others[Math.floor((bucket * others.length) / treated)] ?? control;
}
