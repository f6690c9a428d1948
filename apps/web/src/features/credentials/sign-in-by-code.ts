/** Exchanges a one-time code for a session in this browser. The session is kept only if the user can be loaded with it. */
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { endSession, knownUser, rememberUser } from "../../lib/session/session.ts";
import { t } from "./words.ts";

/** Signs in as a password would, or throws; partial results are undone. */
export async function signInByCode(code: string): Promise<void> {
  const opened = await callApi("logInWithCode", { body: { code } });
  // The previous user of this browser is signed out: the next call must not be made in their name.
  if (knownUser() && knownUser()?.id !== opened.user.id) endSession("signed-out");
  try {
    const { user } = await callApi("me");
    rememberUser(user);
    if (!user.hasPassword) notify("warning", t("magic.noPassword"));
  } catch (error) {
    await callApi("logOut").catch(() => undefined);
    endSession("signed-out");
    throw error;
  }
}
