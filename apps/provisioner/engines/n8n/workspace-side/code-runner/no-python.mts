/**
 * n8n's package has no Python runner, so a Code node in Python would only fail: the editor offers JavaScript alone, and a node that comes with
 * an imported workflow says why it fails.
 */
import { changeNode } from "../editor/node-types.mts";
import type { Internals } from "../internals.mts";

const pythonValues: readonly unknown[] = ["python", "pythonNative"];

/** Removes Python from what n8n tells its editor about the Code node. */
export const hidePython = (): void =>
  changeNode("n8n-nodes-base.code", (property) =>
    property.name === "language" && property.options
      ? { ...property, options: property.options.filter(({ value }) => !pythonValues.includes(value)) }
      : property,
  );

const notAvailable =
  "Code nodes run JavaScript in this workspace: Python is not available. Choose JavaScript as this node's language and translate its code, or replace the node. The Python code stays in the node until then.";

/** n8n's own message asks for a change of the server's environment, which no customer can make. The Code node asks this setting, nothing else. */
export function explainNoPython({ nodesConfig, UserError }: Pick<Internals, "nodesConfig" | "UserError">): void {
  Object.defineProperty(nodesConfig, "pythonEnabled", {
    get: () => {
      throw new UserError(notAvailable);
    },
  });
}
