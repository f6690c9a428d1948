/**
 * Removes from an error report what must not be sent: secrets, recognized by name or shape, and email addresses. Shared by server and
 * panel.
 */

const secretName = /pass(word|wd)?|token|secret|authorization|cookie|api.?key|challenge|credential|session/i;
const removed = "[removed]";

/**
 * Our tokens have 43 characters; 24 or more characters of that alphabet without a break are not a word. UUIDs
 * stay, because they identify a row.
 */
const looks: readonly [RegExp, string][] = [
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, "[email]"],
  [/([?&][\w-]+)=[^&\s"'<>)]*/g, `$1=${removed}`],
  [/\b(bearer|basic) +\S+/gi, `$1 ${removed}`],
  [/\$argon2\S+/g, removed],
  [/:\/\/[^/@\s]+@/g, `://${removed}@`],
  [/(?<![\w-])(?![0-9a-f]{8}-[0-9a-f]{4}-)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}\b/g, removed],
];

/** Text without what looks like a secret or an address. */
export const scrubText = (text: string): string => looks.reduce((rest, [look, instead]) => rest.replace(look, instead), text);

/** The same for all nested values; anything nested deeper than eight levels is left out. */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return scrubText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= 8) return removed;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, secretName.test(name) ? removed : scrub(item, depth + 1)]));
}
