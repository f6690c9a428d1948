/** Says in the editor where "Read/Write Files from Disk" may keep files. n8n itself speaks of the computer that runs it. */
import { createRequire } from "node:module";
import { filesFolder } from "../files-folder.mts";

interface Property {
  name: string;
  displayName: string;
  placeholder?: string;
  description?: string;
}

interface NodeType {
  name: string;
  properties: Property[];
}

interface NodeLoader {
  collectTypes(): Promise<{ nodes: NodeType[]; credentials: unknown[] }>;
}

/** Relative: its full path differs by host. */
const notice = `Files are kept in this workspace's ${filesFolder} folder, and nowhere else: write ${filesFolder}/report.pdf. They count toward your disk space and are part of backups.`;

/** By the name of a property. */
const words: Readonly<Record<string, Partial<Property>>> = {
  info: { displayName: notice },
  fileSelector: { placeholder: `e.g. ${filesFolder}/**/*.png`, description: `A path, or a pattern for several files, in ${filesFolder}` },
  fileName: { placeholder: `e.g. ${filesFolder}/report.pdf`, description: `Path and name, with its extension, in ${filesFolder}` },
};

/** Changes what n8n tells its editor about that node. */
export function describeFiles(): void {
  const require = createRequire(process.argv[1]!);
  const { prototype } = (require("../dist/load-nodes-and-credentials.js") as { LoadNodesAndCredentials: { prototype: NodeLoader } })
    .LoadNodesAndCredentials;
  const { collectTypes } = prototype;
  prototype.collectTypes = async function collect() {
    const types = await collectTypes.call(this);
    return { ...types, nodes: types.nodes.map(withFolder) };
  };
}

function withFolder(type: NodeType): NodeType {
  if (type.name !== "n8n-nodes-base.readWriteFile") return type;
  return { ...type, properties: type.properties.map((property) => ({ ...property, ...words[property.name] })) };
}
