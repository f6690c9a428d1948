/** The requirements for every storage, tested with a folder and with a real S3 server on loopback. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoredNothing, type BackupStorage } from "./backup-storage.ts";
import { createBackupStorage } from "./create-backup-storage.ts";
import { readBackupsUrl } from "./read-backups-url.ts";

interface Place {
  storage: BackupStorage;
  close(): Promise<void>;
}

async function openFolder(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-storage-"));
  return {
    storage: await createBackupStorage(undefined, join(folder, "not yet there")),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function openS3(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "backups", configs: [] }],
  });
  const { port } = await server.run();
  const storage = await createBackupStorage(
    `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/backups/of%20slipway?region=eu-central-1`,
    "/nonexistent",
  );
  return {
    storage,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const streamOf = (...chunks: Buffer[]): Readable => Readable.from(chunks, { objectMode: false });

describe.each([
  ["a folder", openFolder],
  ["S3", openS3],
] as const)("%s", (_name, open) => {
  let place: Place;
  let storage: BackupStorage;
  beforeAll(async () => ({ storage } = place = await open()));
  afterAll(() => place.close());

  test("returns stored objects of any size, and replaces them", async () => {
    // 20 MB takes more than one part of an upload.
    for (const megabytes of [0, 1, 20]) {
      const chunks = Array.from({ length: megabytes }, (_each, index) => Buffer.alloc(1_000_000, index + 1));
      await storage.write("backups/one", streamOf(...chunks));
      expect((await buffer(await storage.read("backups/one"))).equals(Buffer.concat(chunks))).toBe(true);
    }
  });

  test("a failed write stores nothing and keeps the previous object", async () => {
    const breaking = (first: Buffer): Readable =>
      Readable.from(
        (async function* () {
          yield first;
          throw new Error("the line went dead");
        })(),
        { objectMode: false },
      );
    await expect(storage.write("backups/two", breaking(Buffer.alloc(1_000)))).rejects.toThrow("the line went dead");
    await expect(storage.read("backups/two")).rejects.toThrow(StoredNothing);
    await storage.write("backups/two", streamOf(Buffer.from("whole")));
    await expect(storage.write("backups/two", breaking(Buffer.alloc(18_000_000)))).rejects.toThrow("the line went dead");
    expect(await text(await storage.read("backups/two"))).toBe("whole");
  });

  test("removes objects, and ignores missing ones", async () => {
    await storage.write("exports/three", streamOf(Buffer.from("x")));
    await storage.remove("exports/three");
    await storage.remove("exports/three");
    await expect(storage.read("exports/three")).rejects.toThrow(StoredNothing);
  });

  test("refuses names that lead elsewhere", async () => {
    for (const name of ["../one", "backups/../../etc", "/etc/passwd", "backups/", "backups/a/b", "BACKUPS/a"]) {
      await expect(storage.write(name, streamOf(Buffer.from("x")))).rejects.toThrow("cannot be the name");
      await expect(storage.read(name)).rejects.toThrow("cannot be the name");
      await expect(storage.remove(name)).rejects.toThrow("cannot be the name");
    }
  });

  test("lists what is stored of a kind, and nothing that others put there", async () => {
    expect(await storage.list("lists")).toEqual([]);
    for (const name of ["lists/b", "lists/a-1", "listsof/c"]) await storage.write(name, streamOf(Buffer.from("x")));
    expect(await storage.list("lists")).toEqual(["lists/a-1", "lists/b"]);
    for (const kind of ["..", "lists/a", ""]) await expect(storage.list(kind)).rejects.toThrow("cannot be a kind");
  });

  test("reports whether it can be used", async () => {
    await storage.check();
    expect(storage.place).not.toContain("S3RVER:");
  });
});

test("the check detects a path that is not a folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-storage-"));
  await writeFile(join(folder, "file"), "");
  await expect((await createBackupStorage(undefined, join(folder, "file"))).check()).rejects.toThrow(/ENOTDIR|EEXIST/);
  await rm(folder, { recursive: true, force: true });
});

test("two writers of the same name do not mix their data", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-storage-"));
  const storage = await createBackupStorage(undefined, join(folder, "two"));
  const slowly = (letter: string) =>
    Readable.from(
      (async function* () {
        for (let count = 0; count < 5; count += 1) {
          yield Buffer.alloc(100_000, letter);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      })(),
      { objectMode: false },
    );
  await Promise.all([storage.write("backups/one", slowly("a")), storage.write("backups/one", slowly("b"))]);
  expect(new Set((await buffer(await storage.read("backups/one"))).toString())).toHaveLength(1);
  expect(await readdir(join(folder, "two/backups"))).toEqual(["one"]);
  await rm(folder, { recursive: true, force: true });
});

test("a folder lists no part of a writer that died", async () => {
  const { storage, close } = await openFolder();
  await storage.write("dumps/one", streamOf(Buffer.from("x")));
  await writeFile(join(storage.place, "dumps/two.0193.part"), "");
  expect(await storage.list("dumps")).toEqual(["dumps/one"]);
  await close();
});

test("a folder keeps no part of a failed write", async () => {
  const { storage, close } = await openFolder();
  await storage.check();
  expect(await readdir(join(storage.place, "checks"))).toEqual([]);
  await close();
});

test.each([
  [
    "s3://KEY:se%2Fcret@minio.example.com:9000/slipway",
    {
      endpoint: "https://minio.example.com:9000",
      bucket: "slipway",
      prefix: "",
      region: "us-east-1",
      pathStyle: true,
      credentials: { accessKeyId: "KEY", secretAccessKey: "se/cret" },
    },
  ],
  [
    "s3+http://KEY:secret@127.0.0.1:9000/slipway/eu/nightly?region=x",
    {
      endpoint: "http://127.0.0.1:9000",
      bucket: "slipway",
      prefix: "eu/nightly/",
      region: "x",
      pathStyle: true,
      credentials: { accessKeyId: "KEY", secretAccessKey: "secret" },
    },
  ],
  ["s3://my-bucket?region=eu-central-1", { bucket: "my-bucket", prefix: "", region: "eu-central-1", pathStyle: false }],
  [
    "s3://KEY:secret@storage.example.com/slipway?style=host",
    {
      endpoint: "https://storage.example.com",
      bucket: "slipway",
      prefix: "",
      region: "us-east-1",
      pathStyle: false,
      credentials: { accessKeyId: "KEY", secretAccessKey: "secret" },
    },
  ],
])("%s is understood", (url, place) => {
  expect(readBackupsUrl(url)).toEqual(place);
});

test.each(["", "/var/backups", "https://bucket.example.com", "s3://my-bucket", "s3://KEY@host/bucket", "s3://host/Bucket_!"])(
  "%j is refused with what is wrong",
  (url) => {
    expect(readBackupsUrl(url)).toMatch(/must look like s3:/);
  },
);
