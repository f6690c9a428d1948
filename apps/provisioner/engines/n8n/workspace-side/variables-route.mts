/**
 * The owner's environment variables in n8n's process: those of its start, and POST /_slipway/variables, with which the control plane replaces
 * them while it runs. n8n reads `$env`, and whether it may be read, from this process's environment each time.
 */
import { takeVariables } from "../../workspace-side/take-variables.mts";
import type { Handler } from "./internals.mts";

/** n8n's own: whether workflows may not read `$env`. */
const blocksAccess = "N8N_BLOCK_ENV_ACCESS_IN_NODE";

/**
 * Takes the variables of this start, and returns what replaces them: 200; an invalid list: 422. Call it while the environment still has all
 * that the service put there: a name of the service is never set or removed, even if it was taken out of the environment later.
 */
export function takeOwnVariables(folder: string): Handler {
  const service = new Set(Object.keys(process.env));
  const taken = takeVariables(folder);
  let own = taken.filter((name) => !service.has(name));
  process.env[blocksAccess] = String(taken.length === 0);
  return (request, response) => {
    const { variables, readable } = (request.body ?? {}) as { variables?: unknown; readable?: unknown };
    if (!isTexts(variables) || typeof readable !== "boolean")
      return response.status(422).json({ message: "variables and readable are needed" });
    const given = Object.entries(variables).filter(([name]) => !service.has(name));
    for (const name of own) if (!Object.hasOwn(variables, name)) delete process.env[name];
    for (const [name, value] of given) process.env[name] = value;
    own = given.map(([name]) => name);
    process.env[blocksAccess] = String(!readable);
    return response.status(200).json({ message: "variables replaced" });
  };
}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every((each) => typeof each === "string");
