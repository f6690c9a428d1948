/**
 * Every engine: the name that the ENGINE setting takes, that rows store and that the API returns. A new engine is added here; the compiler
 * then requires the rest.
 */
export const engineNames = ["n8n", "node-red"] as const;
export type EngineName = (typeof engineNames)[number];

/** The engine without an ENGINE setting, and the one that the panel assumes until it is told. */
export const defaultEngine = "n8n" satisfies EngineName;

interface EngineTraits {
  /** Plans name features of it, some of which need its maker's license. */
  license: boolean;
  /** It can have users other than its owner. */
  members: boolean;
  /** The gateway recognises and counts the webhooks of its workspaces. */
  webhooks: boolean;
  /** Owners can add packages to it that others have published. */
  communityNodes: boolean;
  /** It runs only so many executions at a time, as the plan says. */
  concurrencyLimit: boolean;
  /** Its editor opens the templates of n8n's gallery. */
  templates: boolean;
}

/** What plans and the panel must know about an engine, and never by its name. Every page contains this, so it is kept small. */
export const engineTraits = {
  n8n: { license: true, members: true, webhooks: true, communityNodes: true, concurrencyLimit: true, templates: true },
  "node-red": { license: false, members: false, webhooks: false, communityNodes: false, concurrencyLimit: false, templates: false },
} as const satisfies Record<EngineName, EngineTraits>;
