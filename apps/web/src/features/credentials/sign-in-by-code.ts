/** A one-time code, for a session in this browser (SPEC §4: the token is kept only if the user can be loaded with it). */
import { callApi } from "../../lib/api-client.ts";
import { endSession, refreshUser, rememberUser } from "../../lib/session.ts";

/** Signs in, or throws; what was half done is undone. */
export async function signInByCode(code: string): Promise<void> {
  await callApi("logInWithCode", { body: { code } });
  try {
    const user = await refreshUser();
    if (!user) throw new Error("The code opened no session.");
    rememberUser(user);
  } catch (error) {
    await callApi("logOut").catch(() => undefined);
    endSession("signed-out");
    throw error;
  }
}
