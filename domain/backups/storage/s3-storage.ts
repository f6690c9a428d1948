/** Backups in a bucket of S3 or a compatible server. */
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { checkStoredKind, checkStoredName, isStoredName, StoredNothing, type BackupStorage } from "./backup-storage.ts";
import { tryStorage } from "./try-storage.ts";
import type { S3Place } from "./read-backups-url.ts";

/** S3 allows 10,000 parts: 160 GB, with 32 MB of memory per running backup. */
const partBytes = 16 * 1024 * 1024;
const partsAtOnce = 2;

/** Time limits for a bucket; without these, one that hangs would hold a backup, and its workspace's lease, forever. */
export interface S3Patience {
  /** To connect, in milliseconds. */
  connectMs: number;
  /** Without a byte in either direction. A part of an upload is answered within seconds. */
  silenceMs: number;
  /** For a whole call without a body, including retries: an answer byte by byte would never time out otherwise. */
  callMs: number;
}

const patience: S3Patience = { connectMs: 10 * secondMs, silenceMs: 30 * secondMs, callMs: 2 * minuteMs };

/** Does not contact the bucket before it is used. */
export function createS3Storage(
  { endpoint, region, bucket, prefix, credentials, pathStyle }: S3Place,
  { connectMs, silenceMs, callMs }: S3Patience = patience,
): BackupStorage {
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    // Only Amazon supports checksums in trailers. Stored objects are authenticated by their encryption.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  });
  const inTime = () => ({ abortSignal: AbortSignal.timeout(callMs) });
  const at = (name: string): { Bucket: string; Key: string } => {
    checkStoredName(name);
    return { Bucket: bucket, Key: prefix + name };
  };
  const storage: BackupStorage = {
    place: `bucket ${bucket}${endpoint ? ` at ${endpoint}` : ""}`,
    async write(name, content) {
      let broken: unknown;
      content.once("error", (error) => (broken = error));
      const upload = new Upload({
        client,
        params: { ...at(name), Body: content, ContentType: "application/octet-stream" },
        partSize: partBytes,
        queueSize: partsAtOnce,
      });
      try {
        await upload.done();
      } catch (error) {
        content.destroy();
        // The stream's error says more than the upload that it ended.
        throw broken ?? error;
      }
    },
    async read(name) {
      try {
        const { Body } = await client.send(new GetObjectCommand(at(name)));
        return Body as Readable;
      } catch (error) {
        throw error instanceof NoSuchKey ? new StoredNothing(name) : error;
      }
    },
    async remove(name) {
      const place = at(name);
      await client.send(new DeleteObjectCommand(place), inTime());
      await abortUploads(client, place, inTime);
    },
    async list(kind) {
      checkStoredKind(kind);
      const names: string[] = [];
      for (let from: string | undefined; ;) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}${kind}/`, ...(from && { ContinuationToken: from }) }),
          inTime(),
        );
        for (const { Key } of page.Contents ?? []) names.push(String(Key).slice(prefix.length));
        from = page.NextContinuationToken;
        if (!from) return names.filter(isStoredName).toSorted();
      }
    },
    check: () => tryStorage(storage),
  };
  return storage;
}

/** Parts of unfinished uploads cost money until they are removed. Not every server can list them. */
async function abortUploads(
  client: S3Client,
  { Bucket, Key }: { Bucket: string; Key: string },
  inTime: () => { abortSignal: AbortSignal },
): Promise<void> {
  const listed = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }), inTime()).catch(() => undefined);
  for (const upload of listed?.Uploads ?? []) {
    if (upload.Key !== Key || !upload.UploadId) continue;
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: upload.UploadId }), inTime()).catch(() => undefined);
  }
}
