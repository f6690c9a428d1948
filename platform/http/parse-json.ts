/** What somebody else sent as JSON; undefined where it is none. Its shape is still to be checked. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
