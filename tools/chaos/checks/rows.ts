/** Queries to a lane's database, each on a new connection: the server may be killed between two. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type ClientConfig, type QueryResultRow } from "pg";
import { clusterFolder, passwordFile, superuser } from "#platform/postgres/server/create-cluster.ts";
import { socketFolderOfPidFile } from "#platform/postgres/server/postmaster.ts";

export interface Rows {
  /** Rejects while the database is down. */
  ask<Row extends QueryResultRow>(question: string, values?: unknown[]): Promise<Row[]>;
}

/** The embedded database of the folder, or the external one. Opens nothing before the first query. */
export function openRows(dataDir: string, elsewhere?: ClientConfig): Rows {
  const root = join(dataDir, "postgres");
  return {
    async ask<Row extends QueryResultRow>(question: string, values: unknown[] = []): Promise<Row[]> {
      const client = new Client({ ...(elsewhere ?? embedded(root)), connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
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

function embedded(root: string): ClientConfig {
  const host = socketFolderOfPidFile(clusterFolder(root));
  if (!host) throw new Error("the database is not running");
  return { host, port: 5432, user: superuser, password: readFileSync(passwordFile(root), "utf8"), database: "slipway" };
}
