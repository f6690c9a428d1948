/**
 * n8n's package has no Python runner, so a Code node in Python would only fail: the editor offers JavaScript alone.
 */
import { createRequire } from "node:module";

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
