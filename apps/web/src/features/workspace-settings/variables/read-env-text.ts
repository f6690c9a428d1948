/** Reads text as `.env` files have it, pasted into a variable's field. Fetched with the first paste of several lines. */
import { isReservedVariable, variableName, variableValue } from "#contract/workspaces/variable.ts";
import type { FieldCode } from "#contract/api/field-words.ts";

export interface PastedVariable {
  name: string;
  value: string;
  /** Why it would be refused; undefined for a part that is as it must be. */
  problems: { name?: FieldCode; value?: FieldCode };
}

/** A value in quotes may span lines; a backslash keeps the next letter from ending it. */
const assignment =
  /^[^\S\n]*(?:export[^\S\n]+)?([^\s=#"'][^\s=]*)[^\S\n]*=[^\S\n]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|([^\n]*?))(?:[^\S\n]+#[^\n]*)?[^\S\n]*(?:\n|$)/;
const noLine = /^[^\S\n]*(?:#[^\n]*)?(?:\n|$)/;

/**
 * Its variables in order, each with the reason why it would be refused. Skips blank lines and comments. A line that sets nothing is the
 * value of a variable without a name, so that nothing that was pasted is lost. `settings`: reserved names that may be set here.
 */
export function readEnvText(text: string, settings: readonly string[]): PastedVariable[] {
  const found: { name: string; value: string }[] = [];
  for (let rest = text.replaceAll(/\r\n?/g, "\n"); rest !== "";) {
    const skipped = noLine.exec(rest)?.[0];
    const set = skipped === undefined ? assignment.exec(rest) : null;
    const line = /^[^\n]*\n?/.exec(rest)![0];
    if (set) found.push({ name: set[1]!.toUpperCase(), value: set[2] === undefined ? (set[3] ?? set[4] ?? "") : unescaped(set[2]) });
    else if (skipped === undefined) found.push({ name: "", value: line.trim() });
    rest = rest.slice((set?.[0] ?? skipped ?? line).length);
  }
  return found.map((each, place) => ({
    ...each,
    problems: {
      ...problemOf("name", nameProblem(each.name, found.slice(0, place), settings)),
      ...problemOf("value", variableValue.safeParse(each.value).error?.issues[0]?.message as FieldCode | undefined),
    },
  }));
}

const problemOf = (field: "name" | "value", code: FieldCode | undefined) => (code === undefined ? {} : { [field]: code });

function nameProblem(name: string, before: readonly { name: string }[], settings: readonly string[]): FieldCode | undefined {
  if (!variableName.safeParse(name).success) return "variable.name";
  if (isReservedVariable(name) && !settings.includes(name)) return "variable.reserved";
  return before.some((other) => other.name === name) ? "variable.twice" : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string => text.replaceAll(/\\([^])/g, (_, letter: string) => escapes[letter] ?? letter);
