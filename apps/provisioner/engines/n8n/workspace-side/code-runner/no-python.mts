/**
 * n8n's package has no Python runner, so a Code node in Python would only fail: the editor offers JavaScript alone, and a node that comes with
 * an imported workflow says why it fails.
 */
import { createRequire } from "node:module";
import type { Internals } from "../internals.mts";

interface Property {
  name: string;
  options?: { value?: unknown }[];
}

interface NodeType {
  name: string;
  properties: Property[];
}

interface NodeLoader {
  collectTypes(): Promise<{ nodes: NodeType[]; credentials: unknown[] }>;
}

const pythonValues: readonly unknown[] = ["python", "pythonNative"];

/** Removes Python from what n8n tells its editor about the Code node. */
export function hidePython(): void {
  const require = createRequire(process.argv[1]!);
  const { prototype } = (require("../dist/load-nodes-and-credentials.js") as { LoadNodesAndCredentials: { prototype: NodeLoader } })
    .LoadNodesAndCredentials;
  const { collectTypes } = prototype;
  prototype.collectTypes = async function collect() {
    const types = await collectTypes.call(this);
    return { ...types, nodes: types.nodes.map(withoutPython) };
  };
}

function withoutPython(type: NodeType): NodeType {
  if (type.name !== "n8n-nodes-base.code") return type;
  const properties = type.properties.map((property) =>
    property.name === "language" && property.options
      ? { ...property, options: property.options.filter(({ value }) => !pythonValues.includes(value)) }
      : property,
  );
  return { ...type, properties };
}

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
