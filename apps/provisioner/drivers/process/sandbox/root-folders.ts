/** The folders of the root that programs need, as arguments of bubblewrap: links into /usr on most systems, real folders on some. */
import { existsSync, lstatSync, readlinkSync } from "node:fs";

const names = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];

/** Those that exist on this host. */
export const rootFolders = (): string[] => names.flatMap(rootFolder);

function rootFolder(name: string): string[] {
  const place = `/${name}`;
  if (!existsSync(place)) return [];
  return lstatSync(place).isSymbolicLink() ? ["--symlink", readlinkSync(place), place] : ["--ro-bind", place, place];
}
