/** A visitor's browser that keeps the cookie by which it is recognized, and no session. */
import type { LightMyRequestResponse } from "fastify";
import { registerConfirmed, type TestApi } from "../test-api.ts";

export interface TestBrowser {
  /** Makes a call as a page of the panel does; `token` is a session's. */
  post(path: string, body: object, token?: string): Promise<LightMyRequestResponse>;
  logIn(login: unknown, password: unknown): Promise<LightMyRequestResponse>;
  /** The cookie's value. */
  cookie(): string;
  keep(answer: LightMyRequestResponse): LightMyRequestResponse;
}

/** The cookie of a recognized browser in an answer. */
export const browserCookieOf = (answer: LightMyRequestResponse) => answer.cookies.find(({ name }) => name === "slipway-browser");

/** `kept` is its cookie from before. Without an address, each call comes from another one. */
export function openBrowser(api: TestApi, kept = "", address?: string): TestBrowser {
  let cookie = kept;
  const keep = (answer: LightMyRequestResponse) => {
    cookie = browserCookieOf(answer)?.value ?? cookie;
    return answer;
  };
  const post = async (path: string, body: object, token?: string) => {
    const cookies = [...(token ? [`token=${token}`] : []), ...(cookie ? [`slipway-browser=${cookie}`] : [])].join("; ");
    return keep(await api.call("POST", path, { body, headers: { cookie: cookies }, ...(address ? { address } : {}) }));
  };
  return { post, keep, logIn: (login, password) => post("/api/auth/login", { login, password }), cookie: () => cookie };
}

/** An owner with a confirmed address, and the browser in which they have signed in. */
export async function ownerWithBrowser(api: TestApi, address?: string) {
  const somebody = await registerConfirmed(api);
  const browser = openBrowser(api, "", address);
  const signedIn = await browser.logIn(somebody.form["email"], somebody.form["password"]);
  return { ...somebody, browser, token: signedIn.json<{ token: string }>().token };
}

/** The mails to an address with this subject, newest first. */
export async function mailsWith(api: TestApi, email: unknown, subject: string): Promise<{ text: string }[]> {
  const newest = "select text from mails where recipient = $1 and subject = $2 order by created_at desc, id desc";
  return (await api.database.pool.query<{ text: string }>(newest, [email, subject])).rows;
}

/** A query item of the first link in a mail. */
export const linkItem = ({ text }: { text: string }, item: string): string | null =>
  new URL(/https?:\/\/\S+/.exec(text)![0]).searchParams.get(item);
