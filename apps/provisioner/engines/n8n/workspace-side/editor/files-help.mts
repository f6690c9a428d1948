/** Says in the editor where "Read/Write Files from Disk" may keep files. n8n itself speaks of the computer that runs it. */
import { filesFolder } from "../files-folder.mts";
import { changeNode, type Property } from "./node-types.mts";

/** Relative: its full path differs by host. */
const notice = `Files are kept in this workspace's ${filesFolder} folder, and nowhere else: write ${filesFolder}/report.pdf. They count toward your disk space and are part of backups.`;

/** By the name of a property. */
const words: Readonly<Record<string, Partial<Property>>> = {
  info: { displayName: notice },
  fileSelector: { placeholder: `e.g. ${filesFolder}/**/*.png`, description: `A path, or a pattern for several files, in ${filesFolder}` },
  fileName: { placeholder: `e.g. ${filesFolder}/report.pdf`, description: `Path and name, with its extension, in ${filesFolder}` },
};

/** Changes what n8n tells its editor about that node. */
export const describeFiles = (): void =>
  changeNode("n8n-nodes-base.readWriteFile", (property) => ({ ...property, ...words[property.name] }));
