/** Senders who take their time with a body must leave room for the others. */
import { secondMs } from "#platform/clock.ts";

export interface Upload {
  /** Whether its body is still on its way. */
  isUploading(): boolean;
}

/** Of a workspace's places, and of the places to wait for one, for requests whose body is still on its way. */
export const shareForUploads = 0.5;

/** A short body that comes after its head is here in a moment. Those that wait beyond their share and take longer are refused. */
const arrivalMs = secondMs;

/** Whether this one waits beyond the share for uploads, of `places` to wait in. */
export function waitsBeyondShare(upload: Upload | null, waiting: Iterable<{ upload: Upload | null }>, places: number): upload is Upload {
  if (!upload?.isUploading()) return false;
  let uploads = 0;
  for (const other of waiting) if (other.upload?.isUploading()) uploads += 1;
  return uploads >= places * shareForUploads;
}

/** Calls `refuse` unless the body arrives in a moment. What has come while this process was busy counts. */
export function refuseUnlessArrived(upload: Upload, refuse: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(() => (upload.isUploading() ? refuse() : undefined)), arrivalMs);
}
