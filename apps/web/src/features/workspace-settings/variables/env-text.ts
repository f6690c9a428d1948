/** Which pasted text is read as a `.env` file, decided before the part that reads it is fetched. */

/** In characters. More than three times what a workspace can have, for comments; more would make the page wait. */
export const mostPastedText = 100_000;

/**
 * Several lines, of which the first that is no comment sets a variable: a key of several lines does not. Where a name is expected, one
 * line is enough.
 */
export function isEnvText(text: string, isForName: boolean): boolean {
  const head = text.slice(0, mostPastedText).replaceAll(/\r\n?/g, "\n");
  const first = /^(?:\s*#.*\n)*\s*(?:export\s+)?[A-Za-z_]\w*\s*=/.exec(head)?.[0];
  return first !== undefined && (isForName || /^.*\n\s*\S/.test(head.slice(first.length)));
}
