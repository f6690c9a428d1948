/**
 * POST /_slipway/claim: a blank, started before it had an owner, gets its workspace's address and timezone. Afterwards nothing reveals that
 * it waited: no old address, and no time before the claim.
 */
import type { Handler, HookContext } from "../internals.mts";
import { blankUrl } from "./blank-url.mts";
import { forgetWaiting } from "./forget-waiting.mts";
import { findPlace, type Place } from "./n8n-place.mts";

/** The workspace's address as this process knows it, without a trailing slash. */
export interface OwnAddress {
  url: string;
}

/** 200, also when repeated; 409 for a second, different owner, and for a workspace that never was a blank. */
export function createClaimHandler(context: HookContext, own: OwnAddress, folder: string): Handler {
  // A release with different internals does not even start as a blank, so that no launch waits for a claim that must fail.
  const place = own.url === blankUrl ? findPlace() : undefined;
  let claim: { wanted: string; made: Promise<void> } | undefined;
  return async (request, response) => {
    const { publicUrl, timezone } = (request.body ?? {}) as Record<string, unknown>;
    if (typeof publicUrl !== "string" || !/^https?:\/\/[^\s"\\]+$/.test(publicUrl) || typeof timezone !== "string")
      return response.status(422).json({ message: "publicUrl and timezone are needed" });
    const wanted = `${publicUrl} ${timezone}`;
    // Of two calls, one wins. If any part of it failed, every repetition fails as well: a partial claim is thrown away.
    if (place) claim ??= { wanted, made: become(place, { publicUrl, timezone }) };
    if (claim?.wanted !== wanted) return response.status(409).json({ message: "it is another workspace" });
    await claim.made;
    return response.status(200).json({ message: "claimed" });
  };

  async function become(to: Place, { publicUrl, timezone }: { publicUrl: string; timezone: string }): Promise<void> {
    await to.move({ from: own.url, to: publicUrl, timezone });
    await forgetWaiting(context, folder);
    own.url = publicUrl;
  }
}
