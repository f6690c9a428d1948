import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { ask, type Answer } from "#testing/ask.ts";
import { until } from "./until.ts";

export interface Customer {
  token: string;
  /** A call of the panel as this customer. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Registers and confirms an account at the panel of `url`, which needs the development inbox. */
export async function signUp(url: string, accountName: string): Promise<Customer> {
  const token: { value?: string } = {};
  const call = (method: string, path: string, body?: unknown) =>
    ask(url + path, { method, body, headers: { origin: url, ...(token.value ? { cookie: `token=${token.value}` } : {}) } });
  const email = `${accountName}@example.com`;
  const registered = await call("POST", "/api/auth/register", buildRegistration({ accountName, email, emailConfirmation: email }));
  if (registered.status !== 201) throw new Error(`registering failed: ${registered.text}`);
  token.value = registered.json<{ token: string }>().token;
  let link: string | undefined;
  await until(async () => {
    const { messages } = (await call("GET", "/api/dev/inbox")).json<{ messages: { to: string; links: string[] }[] }>();
    link = messages.find((message) => message.to.includes(email))?.links[0];
    return link !== undefined;
  });
  await call("POST", "/api/auth/confirm-email", { token: new URL(link!).searchParams.get("token") });
  return { token: token.value, call };
}
