/** GET /_slipway/panel/…: redirects from n8n's editor to a page of the panel, signed in as the owner. */
import { findOwner, type Handler, type HookContext } from "../internals.mts";

export const panelPrefix = "/_slipway/panel";

/** The owner arrives with a fresh code; all others have to sign in there. */
export function createPanelHandler(context: HookContext, panelUrl: string, mintCode: () => string): Handler {
  return async (request, response) => {
    const path = request.path.slice(panelPrefix.length) || "/";
    const owner = await findOwner(context);
    const isOwner = owner !== undefined && request.user?.id === owner.id;
    const query = new URLSearchParams({ ...(isOwner ? { code: mintCode() } : {}), returnPath: path });
    response.set("Cache-Control", "no-store").set("Referrer-Policy", "no-referrer").redirect(302, `${panelUrl}/login?${query.toString()}`);
  };
}
