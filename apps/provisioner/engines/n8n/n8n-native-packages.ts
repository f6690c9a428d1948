/** The compiled packages that n8n needs to start. Others, such as a Kafka client, serve single nodes and are left out. */
import type { NativePackage } from "../install/native-packages.ts";

export const n8nNativePackages: readonly NativePackage[] = [
  { name: "sqlite3", binary: "build/Release/node_sqlite3.node" },
  { name: "isolated-vm" },
];
