/** Changes what n8n tells its editor about a node: its fields, their words and their choices. What the node does stays as it is. */
import { createRequire } from "node:module";

export interface Property {
  name: string;
  displayName: string;
  placeholder?: string;
  description?: string;
  options?: { value?: unknown }[];
}

interface NodeType {
  name: string;
  properties: Property[];
}

interface NodeLoader {
  collectTypes(): Promise<{ nodes: NodeType[]; credentials: unknown[] }>;
}

/** Changes each property of the node of this type; to be called before n8n collects its nodes. */
export function changeNode(name: string, change: (property: Property) => Property): void {
  const require = createRequire(process.argv[1]!);
  const { prototype } = (require("../dist/load-nodes-and-credentials.js") as { LoadNodesAndCredentials: { prototype: NodeLoader } })
    .LoadNodesAndCredentials;
  const { collectTypes } = prototype;
  prototype.collectTypes = async function collect() {
    const types = await collectTypes.call(this);
    return {
      ...types,
      nodes: types.nodes.map((type) => (type.name === name ? { ...type, properties: type.properties.map(change) } : type)),
    };
  };
}
