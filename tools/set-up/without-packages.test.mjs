import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { root } from "../root.mjs";

/** What a command loads before it has installed anything: its own files, and the packages that these name. */
function loadedBy(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const names = [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?:[^;"]*? from )?"([^"]+)";/gm)].map(([, name]) => name);
  return names.flatMap((name) => (name.startsWith(".") ? loadedBy(resolve(dirname(file), name), seen) : [name]));
}

const commands = readdirSync(join(root, "tools")).filter((name) => name.endsWith(".mjs") && !name.endsWith(".test.mjs"));

test.each(commands)("tools/%s starts in a clone that has no packages yet", (name) => {
  const file = join(root, "tools", name);
  expect(existsSync(file)).toBe(true);
  expect(loadedBy(file).filter((each) => !each.startsWith("node:"))).toEqual([]);
});
