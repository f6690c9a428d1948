/** Parses foreign JSON; undefined if invalid. The caller still has to check its shape. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
