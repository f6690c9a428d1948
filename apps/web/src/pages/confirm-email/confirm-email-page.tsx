import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { redirect, useLoaderData, type LoaderFunctionArgs } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { PasswordProof } from "../../features/credentials/password-proof.tsx";
import { RefusedLink } from "../../ui/notices/refused-link.tsx";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { ResendConfirmation } from "../../features/sign-up/resend-confirmation.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { notify } from "../../lib/notices/notices.ts";
import { loginPath, paths } from "../../lib/paths.ts";
import { likelyUser, refreshUser } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { t } from "../../features/sign-up/registration/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("confirm.page") };

type Outcome = { error: ApiError; resendTo: string | null } | { error: null; wasAlready: boolean } | { error: null; token: string };

/** Confirms once per visit: a loader runs once for a navigation, an effect may run twice. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Outcome | Response> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  try {
    const { email, alreadyConfirmed } = await callApi("confirmEmail", { body: { token } });
    const user = await reloadedUser();
    if (user?.email !== email || !user.confirmed) return { error: null, wasAlready: alreadyConfirmed };
    notify("success", t("verify.confirmed"));
    return redirect(nextPath(user));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "proof_needed") return { error: null, token };
    const user = await reloadedUser();
    return { error, resendTo: user && !user.confirmed ? user.email : null };
  }
}

/** The signed-in user, reloaded; failing to load them does not change the outcome. */
const reloadedUser = async (): Promise<User | null> => ((await likelyUser().catch(() => null)) ? refreshUser().catch(() => null) : null);

export function Component() {
  const found = useLoaderData<Outcome>();
  const [proved, setProved] = useState<Outcome>();
  const outcome = proved ?? found;
  return (
    <div className="p-6 sm:p-8">
      {outcome.error ? (
        <Refused {...outcome} />
      ) : "token" in outcome ? (
        <Unproved token={outcome.token} onConfirmed={setProved} />
      ) : (
        <Confirmed wasAlready={outcome.wasAlready} />
      )}
    </div>
  );
}

/** It is not proven yet that the reader of the email is the one who registered. */
function Unproved({ token, onConfirmed }: { token: string; onConfirmed: (outcome: Outcome) => void }) {
  const send = async (password: string) => {
    const { alreadyConfirmed } = await callApi("confirmEmail", { body: { token, password } });
    onConfirmed({ error: null, wasAlready: alreadyConfirmed });
  };
  return (
    <PasswordProof title={t("confirm.proofTitle")} lead={t("confirm.proofLead")} send={send} otherwise={t("confirm.proofOtherwise")} />
  );
}

/** Confirmed without a session here: the link was opened on another device, or another user is signed in. */
function Confirmed({ wasAlready }: { wasAlready: boolean }) {
  return (
    <>
      <CircleCheck className="mb-4 size-10 text-success" aria-hidden="true" />
      <h1 className="text-2xl font-semibold">{t("confirm.title")}</h1>
      {wasAlready ? <p className="mt-2">{t("confirm.already")}</p> : null}
      <p className="mt-2 mb-6 text-ink-soft">{t("confirm.elsewhere")}</p>
      <ButtonLink to={loginPath(paths.continue)}>{t("confirm.continue")}</ButtonLink>
    </>
  );
}

function Refused({ error, resendTo }: { error: ApiError; resendTo: string | null }) {
  return (
    <RefusedLink error={error} title={t("confirm.failed")}>
      {resendTo ? (
        <ResendConfirmation email={resendTo} tone="primary" />
      ) : (
        <ButtonLink to={loginPath(paths.verifyEmail)}>{t("confirm.logInToResend")}</ButtonLink>
      )}
    </RefusedLink>
  );
}
