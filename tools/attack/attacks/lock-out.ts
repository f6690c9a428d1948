/** Keeping the neighbour's owner out of the panel, by whatever slows down guessing and flooding: from outside, as anyone could. */
import { setTimeout as delay } from "node:timers/promises";
import { ask, type Answer } from "#testing/ask.ts";
import { words, type Attack } from "../attack.ts";
import type { Scene } from "../scene/scene.ts";

/** An address that the neighbour's owner shares with the attacker, as a café's or a provider's customers do. */
const shared = "127.0.0.7";
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** Long enough for the outbox to send a mail on a busy machine. */
const settleMs = 5_000;
let others = 0;
/** One of the many addresses of a botnet. */
const elsewhere = (): string => `127.0.1.${(others = (others % 250) + 1)}`;

const post = ({ slipway }: Scene, path: string, body: object, { from = elsewhere(), cookie = "" } = {}): Promise<Answer> =>
  ask(`${slipway.url}/api${path}`, { method: "POST", body, from, headers: { origin: slipway.url, ...(cookie ? { cookie } : {}) } });

const logIn = (scene: Scene, login: string, password: string, caller?: { from?: string; cookie?: string }): Promise<Answer> =>
  post(scene, "/auth/login", { login, password }, caller);

/** The links of this kind that were mailed to the neighbour's owner, newest first. */
async function linksTo({ slipway, neighbour }: Scene, page: "magic-link" | "reset-password"): Promise<string[]> {
  const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: { to: string; links: string[] }[] }>();
  const own = messages.filter(({ to }) => to.includes(neighbour.customer.email)).flatMap(({ links }) => links);
  return own.filter((link) => link.includes(`/${page}?`));
}

/** The same, once the outbox has sent them: it takes moments, and nothing tells when a request brings no mail. */
async function settledLinks(scene: Scene, page: "magic-link" | "reset-password"): Promise<string[]> {
  await delay(settleMs);
  return linksTo(scene, page);
}

/** Signs the owner in by a link that was mailed, in a browser that is new. */
async function openLink(scene: Scene, from: string): Promise<Answer> {
  const [link] = await settledLinks(scene, "magic-link");
  const code = link && new URL(link).searchParams.get("code");
  return post(scene, "/auth/login/code", { code: code ?? "none was mailed" }, { from });
}

/** The cookie by which a browser is recognized in which the neighbour's owner has signed in, before the attack, by a link. */
async function knownBrowser(scene: Scene): Promise<string> {
  await post(scene, "/user/magic-link", { email: scene.neighbour.customer.email });
  const answer = await openLink(scene, elsewhere());
  const [cookie] = [answer.headers["set-cookie"] ?? []].flat().filter((each) => each.startsWith("slipway-browser="));
  if (!cookie) throw new Error(`the neighbour's owner could not sign in before the attack: ${answer.status} ${answer.text}`);
  return cookie.split(";")[0]!;
}

export const lockOut: readonly Attack[] = [
  {
    title: "locks its neighbour's owner out of the panel: by their account name, by their mail address, and at their own address",
    means: "guessed passwords",
    async run(scene) {
      const { accountName, email, password } = scene.neighbour.customer;
      const cookie = await knownBrowser(scene);
      const answers: Answer[] = [];
      for (const login of [accountName, email])
        for (const index of times(8)) answers.push(await logIn(scene, login, `guess ${index}`, { cookie: "slipway-browser=in.vented" }));
      for (const index of times(30)) answers.push(await logIn(scene, `nobody-${index}`, "a guess", { from: shared }));
      // It may have guessed right by now.
      const right = [await logIn(scene, accountName, password), await logIn(scene, email, password)];
      await post(scene, "/user/magic-link", { email });
      const ways = [
        ["the owner's own browser is locked out", (await logIn(scene, accountName, password, { from: shared, cookie })).status],
        ["a mailed link does not let the owner in", (await openLink(scene, elsewhere())).status],
      ] as const;
      // The link is used: another one has to come, and to work at the shared address.
      await post(scene, "/user/magic-link", { email });
      const { status: there } = await openLink(scene, shared);
      return {
        stoppedBy: words([...answers, ...right].map(({ status }) => String(status))),
        harms: [
          ...ways.filter(([, status]) => status !== 200).map(([harm, status]) => `${harm}: ${status}`),
          ...(there === 200 ? [] : [`a mailed link does not let the owner in at their own address: ${there}`]),
          ...(right.some(({ status }) => status !== 429) ? ["its guesses were not stopped"] : []),
          ...(answers.filter(({ status }) => status === 401).length > 5 + 5 + 25 ? ["it had more guesses than one is allowed"] : []),
        ],
      };
    },
  },
  {
    title: "uses up the mails that let its neighbour's owner in: by their mail address, and at their own address",
    means: "requested mails",
    async run(scene) {
      const { email } = scene.neighbour.customer;
      const cookie = await knownBrowser(scene);
      const answers: Answer[] = [];
      for (const path of ["/user/magic-link", "/auth/forgot-password"])
        for (const _ of times(10)) answers.push(await post(scene, path, { email }));
      for (const index of times(25))
        answers.push(await post(scene, "/user/magic-link", { email: `nobody-${index}@example.com` }, { from: shared }));
      const flooded = { signIn: (await settledLinks(scene, "magic-link")).length, reset: (await linksTo(scene, "reset-password")).length };
      const { status: opened } = await openLink(scene, elsewhere());
      const asked = await post(scene, "/user/magic-link", { email }, { from: shared, cookie });
      const more = (await settledLinks(scene, "magic-link")).length - flooded.signIn;
      const { status: openedThere } = await openLink(scene, shared);
      return {
        stoppedBy: `${words(answers.map(({ status }) => String(status)))}; ${flooded.signIn} and ${flooded.reset} mails`,
        harms: [
          ...(opened === 200 ? [] : [`no mailed link lets the owner in: ${opened}`]),
          ...(flooded.reset > 0 ? [] : ["the owner has no link for a new password"]),
          ...(asked.status === 204 && more === 1 ? [] : [`the owner's own browser gets no mail: ${asked.status}`]),
          ...(openedThere === 200 ? [] : [`the mail to the owner's own browser does not let them in: ${openedThere}`]),
          // Six of the attack before this one, and of this one no more than three and one of each kind.
          ...(flooded.signIn + flooded.reset > 6 + 5 ? [`the mailbox is flooded: ${flooded.signIn + flooded.reset} mails`] : []),
        ],
      };
    },
  },
];
