/** What of n8n has compiled parts without which it does not start. Others (a Kafka client, say) serve single nodes and are left out. */
import type { NativePackage } from "../install/native-packages.ts";

export const n8nNativePackages: readonly NativePackage[] = [
  { name: "sqlite3", binary: "build/Release/node_sqlite3.node" },
  { name: "isolated-vm" },
];
