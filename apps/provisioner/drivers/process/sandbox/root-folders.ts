/** The folders of the root in which programs look for themselves, as arguments of bubblewrap: on most systems links into /usr, on some folders. */
import { existsSync, lstatSync, readlinkSync } from "node:fs";

const names = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];

/** Those that this host has. */
export const rootFolders = (): string[] => names.flatMap(rootFolder);

function rootFolder(name: string): string[] {
  const place = `/${name}`;
  if (!existsSync(place)) return [];
  return lstatSync(place).isSymbolicLink() ? ["--symlink", readlinkSync(place), place] : ["--ro-bind", place, place];
}
