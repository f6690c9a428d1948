/** The cookie that says that there is a session here; the session's own is out of reach of scripts (platform/http/session-cookie.ts). */
const name = "slipway-signed-in";

/** Whether this browser may be signed in; `undefined` where nobody can know. */
export function hasSessionMark(): boolean | undefined {
  try {
    return document.cookie.split("; ").some((cookie) => cookie.startsWith(`${name}=`));
  } catch {
    return undefined;
  }
}

/** For a session that has ended without the server's word, such as by its time. */
export function removeSessionMark(): void {
  try {
    document.cookie = `${name}=; path=/; max-age=0`;
  } catch {
    // Without cookies nobody is signed in either.
  }
}
