/** Reads BACKUPS_URL: where backups are kept, and how to connect. */

export interface S3Place {
  /** Absent: Amazon's. */
  endpoint?: string;
  region: string;
  bucket: string;
  /** Prefix of each name; empty, or ends with a slash. */
  prefix: string;
  /** Absent: from the environment or the machine's role, as Amazon's tools do. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** The bucket is in the path instead of the host name, as most servers other than Amazon's need. */
  pathStyle: boolean;
}

const bucketShape = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const shape = "must look like s3://key:secret@host/bucket?region=eu-central-1, or s3://bucket?region=eu-central-1 for Amazon";

/**
 * `s3://key:secret@host[:port]/bucket[/folder]?region=…` for any server, `s3+http://…` for one without TLS, and
 * `s3://[key:secret@]bucket?region=…` for Amazon. Key and secret are percent-encoded. Returns an error as a string.
 */
export function readBackupsUrl(text: string): S3Place | string {
  const url = URL.parse(text);
  if (!url || !["s3:", "s3+http:"].includes(url.protocol) || url.host === "") return shape;
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const isAmazon = parts.length === 0;
  const [bucket = "", ...folders] = isAmazon ? [url.hostname] : parts.map(decodeURIComponent);
  if (!bucketShape.test(bucket)) return `${shape}; "${bucket}" cannot be the name of a bucket`;
  if ((url.username === "") !== (url.password === "")) return `${shape}; with a key there must be a secret`;
  const region = url.searchParams.get("region") ?? (isAmazon ? "" : "us-east-1");
  if (region === "") return `${shape}; Amazon needs a region`;
  return {
    region,
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(""),
    pathStyle: url.searchParams.get("style") !== "host" && !isAmazon,
    ...(!isAmazon && { endpoint: `${url.protocol === "s3:" ? "https" : "http"}://${url.host}` }),
    ...(url.username !== "" && {
      credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
    }),
  };
}
