/** A database and a bucket behind lines that can go silent, like an operator's own PostgreSQL server and S3. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import S3rver from "s3rver";
import { createLog } from "#platform/log.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { findPostmaster } from "#platform/postgres/server/postmaster.ts";
import { openSilentLine, type SilentLine } from "#testing/network/silent-line.ts";

export interface FarSide extends AsyncDisposable {
  /** Settings that make the program use them, through the lines. */
  env: Record<string, string>;
  /** The database, without its line. */
  connection: ClientConfig;
  postmasterPid(): number | undefined;
  databaseLine: SilentLine;
  bucketLine: SilentLine;
}

export async function openFarSide(): Promise<FarSide> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-chaos-"));
  const database = await startEmbeddedPostgres({ dataDir: folder, log: createLog("silent") });
  const connection = database.connection as ClientConfig;
  const databaseLine = await openSilentLine({ path: `${connection.host}/.s.PGSQL.${connection.port}` });
  const bucket = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: join(folder, "buckets"),
    configureBuckets: [{ name: "backups", configs: [] }],
  });
  const { port } = await bucket.run();
  const bucketLine = await openSilentLine({ host: "127.0.0.1", port });
  return {
    connection,
    databaseLine,
    bucketLine,
    env: {
      DATABASE_URL: `postgresql://${connection.user}:${encodeURIComponent(String(connection.password))}@127.0.0.1:${databaseLine.port}/${connection.database}`,
      BACKUPS_URL: `s3+http://S3RVER:S3RVER@127.0.0.1:${bucketLine.port}/backups?region=eu-central-1`,
    },
    postmasterPid: () => findPostmaster(join(folder, "postgres", "cluster"))?.pid,
    async [Symbol.asyncDispose]() {
      await Promise.all([databaseLine[Symbol.asyncDispose](), bucketLine[Symbol.asyncDispose]()]);
      await bucket.close();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
