/** What was proved already, so that a run that was ended continues. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nameOf, type Break } from "./break.ts";
import type { Verdict } from "./judge-run.ts";

export interface Results {
  /** The verdict of this break, if neither it nor its two files have changed since. */
  find(each: Break): Verdict | undefined;
  keep(each: Break, verdict: Verdict): void;
}

/** `folder`: the copy that is tested, whose files may be older than the clone's by now. */
export function openResults(root: string, folder: string, path = join(root, ".cache", "prove", "results.json")): Results {
  const known = readKnown(path);
  const keyOf = (each: Break): string => {
    const hash = createHash("sha256").update(JSON.stringify(each));
    for (const file of [each.file, each.test]) hash.update(readFileSync(join(folder, file)));
    return `${nameOf(each)} ${hash.digest("hex").slice(0, 16)}`;
  };
  return {
    find: (each) => known[keyOf(each)],
    keep(each, verdict) {
      known[keyOf(each)] = verdict;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(known, undefined, 2));
    },
  };
}

function readKnown(path: string): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, Verdict>;
  } catch {
    return {};
  }
}
