/** Reads text as `.env` files have it, pasted into a variable's field. Fetched with the first paste of it. */
import { isReservedVariable, variableName, variableValue } from "#contract/workspaces/variable.ts";
import type { FieldCode } from "#contract/api/field-words.ts";

export interface PastedVariable {
  name: string;
  value: string;
  /** Why it would be refused; undefined for a part that is as it must be. */
  problems: { name?: FieldCode; value?: FieldCode };
}

/**
 * Its variables in order, each with the reason why it would be refused. Skips blank lines and comments. A line that sets nothing is the
 * value of a variable without a name, so that nothing that was pasted is lost. `settings`: reserved names that may be set here.
 */
export function readEnvText(text: string, settings: readonly string[]): PastedVariable[] {
  const names = new Set<string>();
  return assignmentsIn(text.replaceAll(/\r\n?/g, "\n")).map(({ name, value }) => {
    const problems = {
      ...problemOf("name", nameProblem(name, names, settings)),
      ...problemOf("value", variableValue.safeParse(value).error?.issues[0]?.message as FieldCode | undefined),
    };
    names.add(name);
    return { name, value, problems };
  });
}

const problemOf = (field: "name" | "value", code: FieldCode | undefined) => (code === undefined ? {} : { [field]: code });

function nameProblem(name: string, before: ReadonlySet<string>, settings: readonly string[]): FieldCode | undefined {
  if (!variableName.safeParse(name).success) return "variable.name";
  if (isReservedVariable(name) && !settings.includes(name)) return "variable.reserved";
  return before.has(name) ? "variable.twice" : undefined;
}

/** What each line sets, without a name for one that sets nothing. Takes time in proportion to the text, whatever is in it. */
function assignmentsIn(text: string): { name: string; value: string }[] {
  const found: { name: string; value: string }[] = [];
  let before: Before = undefined;
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = lineEnd(text, at);
    const whole = text.slice(at, end);
    const line = whole.trim();
    const name: string | undefined = isKeysLastLine(line, before) ? undefined : nameIn(line);
    const raw = name === undefined ? line : line.slice(line.indexOf("=") + 1).trimStart();
    before = undefined;
    if (name === undefined && (line === "" || line.startsWith("#"))) continue;
    const from = at + whole.trimEnd().length - raw.length;
    const quoted = name === undefined ? undefined : quotedAt(text, from);
    const keyEnd = quoted ? end : endOfKey(text, from, raw);
    let value: string = name === undefined ? line : withoutComment(raw);
    if (quoted) ({ value, end } = quoted);
    else if (keyEnd > end) [value, end] = [text.slice(from, keyEnd).trim(), keyEnd];
    else if (name === undefined) before = line.length >= 16 && base64.test(line) ? "line" : undefined;
    else before = isWide(value) ? "value" : undefined;
    found.push({ name: name?.toUpperCase() ?? "", value });
  }
  return found;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The name before a line's `=`, in the letters of names that are nearly allowed. */
function nameIn(line: string): string | undefined {
  const equals = line.indexOf("=");
  if (equals < 1) return undefined;
  const words = line.slice(0, equals).trim().split(/\s+/);
  const name = words.length === 2 && words[0] === "export" ? words[1]! : words[0]!;
  return words.length <= (name === words[0] ? 1 : 2) && /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : undefined;
}

/** A value in quotes may span lines; a backslash keeps the next letter from ending it. Only a comment may follow it. */
function quotedAt(text: string, from: number): { value: string; end: number } | undefined {
  const quote = text[from];
  if (quote !== '"' && quote !== "'") return undefined;
  let to = from + 1;
  while (to < text.length && text[to] !== quote) to += quote === '"' && text[to] === "\\" ? 2 : 1;
  if (to >= text.length) return undefined;
  const end = lineEnd(text, to);
  if (!/^(?:\s+#|\s*$)/.test(text.slice(to + 1, end))) return undefined;
  const value = text.slice(from + 1, to);
  return { value: quote === '"' ? unescaped(value) : value, end };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string => text.replaceAll(/\\([^])/g, (_, letter: string) => escapes[letter] ?? letter);

function withoutComment(raw: string): string {
  const comment = raw.search(/\s#/);
  return comment < 0 ? raw : raw.slice(0, comment).trimEnd();
}

/** The end of a key that begins here and is not in quotes: of its last line, or of the text, because none of it may be taken for a name. */
function endOfKey(text: string, from: number, raw: string): number {
  if (!/^["']?-----BEGIN/.test(raw)) return -1;
  const last = text.indexOf("-----END", from);
  return last < 0 ? text.length : lineEnd(text, last);
}

/** What came directly before a line: a line of a key, or a value that the line may continue. */
type Before = "line" | "value" | undefined;

const base64 = /^[\w+/-]+$/;

/** As long as the first line of a wrapped key, and not a word or a number. */
const isWide = (value: string): boolean =>
  value.length >= 40 && value.length % 4 === 0 && base64.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);

/** A line such as `b3Bl=` or `QQ==` ends a key in base64. `NAME=` and `name=` set an empty value, unless they directly follow such a key. */
function isKeysLastLine(line: string, before: Before): boolean {
  if (!/^[\w+/-]+={1,2}$/.test(line)) return false;
  if (before === "line" || line.endsWith("==")) return true;
  return line.length % 4 === 0 && (before === "value" || !/^(?:[A-Z_][A-Z\d_]*|[a-z_][a-z\d_]*)=$/.test(line));
}
