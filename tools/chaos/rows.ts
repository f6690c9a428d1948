/** Questions to the embedded database of a data folder, each on a connection of its own: the server may be killed between two. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type QueryResultRow } from "pg";
import { clusterFolder, passwordFile, superuser } from "#platform/postgres/create-cluster.ts";
import { socketFolderOfPidFile } from "#platform/postgres/postmaster.ts";

export interface Rows {
  /** Rejects while the database is away. */
  ask<Row extends QueryResultRow>(question: string, values?: unknown[]): Promise<Row[]>;
}

/** Nothing is opened before the first question. */
export function openRows(dataDir: string): Rows {
  const root = join(dataDir, "postgres");
  return {
    async ask<Row extends QueryResultRow>(question: string, values: unknown[] = []): Promise<Row[]> {
      const host = socketFolderOfPidFile(clusterFolder(root));
      if (!host) throw new Error("the database is not running");
      const client = new Client({ host, port: 5432, user: superuser, password: readFileSync(passwordFile(root), "utf8"), database: "slipway", connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
      client.on("error", () => undefined);
      try {
        await client.connect();
        return (await client.query<Row>(question, values)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}
