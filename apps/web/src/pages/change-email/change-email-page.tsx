import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { PasswordProof } from "../../features/credentials/password-proof.tsx";
import { RefusedLink } from "../../ui/notices/refused-link.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { paths } from "../../lib/paths.ts";
import { likelyUser, refreshUser } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { t } from "../../features/credentials/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("account.confirm.page") };

type Outcome = { error: ApiError } | { error: null; email: string } | { error: null; token: string };

/** Confirms once per visit: a loader runs once for a navigation, an effect may run twice. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Outcome> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  try {
    const { email } = await callApi("confirmEmailChange", { body: { token } });
    // A signed-in user sees the new address immediately; failing to load the user does not change the outcome.
    if (await likelyUser().catch(() => null)) await refreshUser().catch(() => null);
    return { error: null, email };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === "proof_needed" ? { error: null, token } : { error };
  }
}

export function Component() {
  const found = useLoaderData<Outcome>();
  const [proved, setProved] = useState<Outcome>();
  const outcome = proved ?? found;
  return (
    <div className="p-6 sm:p-8">
      {outcome.error ? (
        <Refused error={outcome.error} />
      ) : "token" in outcome ? (
        <Unproved token={outcome.token} onChanged={setProved} />
      ) : (
        <Changed email={outcome.email} />
      )}
    </div>
  );
}

/** It is not proven yet that the reader of this mailbox owns the account. */
function Unproved({ token, onChanged }: { token: string; onChanged: (outcome: Outcome) => void }) {
  const send = async (password: string) =>
    onChanged({ error: null, email: (await callApi("confirmEmailChange", { body: { token, password } })).email });
  return (
    <PasswordProof
      title={t("account.confirm.proofTitle")}
      lead={t("account.confirm.proofLead")}
      send={send}
      otherwise={t("account.confirm.proofOtherwise")}
    />
  );
}

function Changed({ email }: { email: string }) {
  return (
    <>
      <CircleCheck className="mb-4 size-10 text-success" aria-hidden="true" />
      <h1 className="text-2xl font-semibold">{t("account.confirm.done")}</h1>
      <p className="mt-2 mb-6 [overflow-wrap:anywhere] text-ink-soft">{t("account.confirm.doneText", { email })}</p>
      <ButtonLink to={paths.home}>{t("account.confirm.continue")}</ButtonLink>
    </>
  );
}

function Refused({ error }: { error: ApiError }) {
  return (
    <RefusedLink error={error} title={t("account.confirm.failed")}>
      <ButtonLink to={paths.home}>{t("account.confirm.back")}</ButtonLink>
    </RefusedLink>
  );
}
