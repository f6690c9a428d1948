/** Sends an owner from their workspace's sign-in page back into it. Something is shown only if another account is signed in. */
import { replace, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { paths } from "../../lib/paths.ts";
import { currentUser } from "../../lib/session/session.ts";
import { SignOutButton } from "../../layouts/account/sign-out-button.tsx";
import { Card } from "../../ui/card.tsx";
import { t } from "./words.ts";

interface OtherAccount {
  /** The account whose workspace was requested. */
  wanted: string;
  signedIn: string;
}

/** The workspace's own address, signed in; the page about it if it is not online. The link is made for the signed-in account alone. */
export async function loader({ request }: LoaderFunctionArgs): Promise<OtherAccount | Response> {
  const query = new URL(request.url).searchParams;
  const [wanted, path] = [query.get("workspace"), query.get("path") ?? undefined];
  const signedIn = (await currentUser())?.username ?? "";
  if (wanted !== null && wanted !== signedIn) return { wanted, signedIn };
  try {
    return replace((await callApi("getInstanceUrl", { query: { path } })).url);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return replace(paths.manage);
    throw error;
  }
}

export function Component() {
  const { wanted, signedIn } = useLoaderData<OtherAccount>();
  return (
    <Card className="mx-auto max-w-lg p-6 sm:p-8">
      <h1 className="text-2xl font-semibold [overflow-wrap:anywhere]">{t("openWorkspace.title", { name: wanted })}</h1>
      <p className="mt-2 text-ink-soft [overflow-wrap:anywhere]">{t("openWorkspace.text", { name: signedIn })}</p>
      <p className="mt-2 text-ink-soft">{t("openWorkspace.member")}</p>
      <SignOutButton className="link mt-5 font-medium" />
    </Card>
  );
}
