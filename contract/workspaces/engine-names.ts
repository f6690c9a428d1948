/**
 * Every engine: the name that the ENGINE setting takes, that rows store and that the API returns. A new engine is added here; the compiler
 * then requires the rest.
 */
export const engineNames = ["n8n", "node-red"] as const;
export type EngineName = (typeof engineNames)[number];
