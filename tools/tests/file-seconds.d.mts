/** By path from the root. */
export function knownSeconds(): Record<string, number>;
/** Seconds that the file at this absolute path takes. */
export function fileSeconds(path: string): number;
/** Seconds of a file that is not in the list. */
export const usualSeconds: number;
