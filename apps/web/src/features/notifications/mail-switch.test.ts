import { expect, test } from "vitest";
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { createMailSwitch } from "./mail-switch.ts";

/** A service that answers each save when the test says so, and a panel that shows the last user. */
function standIn() {
  let user = { profile: { mutedMails: [] as OptionalMail[] } } as User;
  const saves: { mutedMails: OptionalMail[]; answer: () => void; refuse: () => void }[] = [];
  const save = (mutedMails: OptionalMail[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<User>();
    const answer = () => resolve({ ...user, profile: { ...user.profile, mutedMails } });
    saves.push({ mutedMails, answer, refuse: () => reject(new Error("refused")) });
    return promise;
  };
  const setMail = createMailSwitch({ known: () => user, update: (next) => (user = next), save, read: () => Promise.resolve(null) });
  return { saves, setMail, muted: () => user.profile.mutedMails, become: (next: User) => (user = next) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a double click is two saves, one after the other, and the second click counts", async () => {
  const { saves, setMail, muted } = standIn();
  const clicks = [setMail("usage", false), setMail("usage", true)];
  await settle();
  expect(saves).toHaveLength(1);
  saves[0]!.answer();
  await settle();
  expect(muted()).toEqual([]);
  expect(saves.map(({ mutedMails }) => mutedMails).at(-1)).toEqual([]);
  saves[1]!.answer();
  await Promise.all(clicks);
  expect(muted()).toEqual([]);
});

test("an answer does not undo a switch made before it arrived", async () => {
  const { saves, setMail, muted } = standIn();
  const first = setMail("usage", false);
  await settle();
  const second = setMail("exports", false);
  saves[0]!.answer();
  await first;
  expect(muted()).toEqual(["usage", "exports"]);
  await settle();
  expect(saves[1]!.mutedMails).toEqual(["usage", "exports"]);
  saves[1]!.answer();
  await second;
  expect(muted()).toEqual(["usage", "exports"]);
});

test("a refused change is shown as before, and the next change is saved", async () => {
  const { saves, setMail, muted } = standIn();
  const refused = setMail("usage", false).catch((error: unknown) => error);
  await settle();
  saves[0]!.refuse();
  expect(await refused).toEqual(new Error("refused"));
  expect(muted()).toEqual([]);
  const next = setMail("exports", false);
  await settle();
  saves[1]!.answer();
  await next;
  expect(muted()).toEqual(["exports"]);
});

test("a double click that is refused twice shows the saved state", async () => {
  const { saves, setMail, muted } = standIn();
  const clicks = [setMail("usage", false), setMail("usage", true)].map((click) => click.catch(() => "refused"));
  await settle();
  saves[0]!.refuse();
  await settle();
  saves[1]!.refuse();
  expect(await Promise.all(clicks)).toEqual(["refused", "refused"]);
  expect(muted()).toEqual([]);
});

test("switches of two tabs are both kept: one made on an outdated list is applied to the current one", async () => {
  const userOf = (revision: number, mutedMails: OptionalMail[]) =>
    ({ profile: { mutedMails, revision: `${revision}` } }) as unknown as User;
  let service = userOf(2, ["exports"]);
  let shown = userOf(1, []);
  let sent = 0;
  const setMail = createMailSwitch({
    known: () => shown,
    update: (next) => (shown = next),
    save: async (mutedMails, revision) => {
      sent += 1;
      if (revision !== service.profile.revision) throw new ApiError("changed_elsewhere", 409);
      return (service = userOf(Number(revision) + 1, mutedMails));
    },
    // As in the panel, what is read is also shown.
    read: async () => (shown = service),
  });
  await Promise.all([setMail("usage", false), setMail("updates", false)]);
  expect([...service.profile.mutedMails].toSorted()).toEqual(["exports", "updates", "usage"]);
  expect(shown).toEqual(service);
  expect(sent).toBe(3);
});

test("a switch that is refused after its user signed out neither changes what the next user sees nor blocks them", async () => {
  const { saves, setMail, muted, become } = standIn();
  const [ada, bob] = ["ada", "bob"].map((id) => ({ id, profile: { mutedMails: [] as OptionalMail[] } }) as unknown as User);
  become(ada!);
  const refused = setMail("usage", false).catch(() => "refused");
  await settle();
  become({ ...bob!, profile: { ...bob!.profile, mutedMails: ["usage"] } });
  const next = setMail("exports", false);
  await settle();
  expect(saves.map(({ mutedMails }) => mutedMails)).toEqual([["usage"], ["usage", "exports"]]);
  saves[0]!.refuse();
  expect(await refused).toBe("refused");
  expect(muted()).toEqual(["usage", "exports"]);
  saves[1]!.answer();
  await next;
  expect(muted()).toEqual(["usage", "exports"]);
});

test("a second switch that waited until its user signed out is refused, so that the next user does not see it", async () => {
  const { saves, setMail, muted, become } = standIn();
  const [ada, bob] = ["ada", "bob"].map((id) => ({ id, profile: { mutedMails: [] as OptionalMail[] } }) as unknown as User);
  become(ada!);
  const first = setMail("usage", false).catch(() => "refused");
  const second = setMail("exports", false).then(
    () => "saved",
    () => "refused",
  );
  await settle();
  become(bob!);
  saves[0]!.refuse();
  expect(await Promise.all([first, second])).toEqual(["refused", "refused"]);
  expect([saves.length, muted()]).toEqual([1, []]);
});

test("a refused switch is not saved by a later one whose save was overtaken in another tab", async () => {
  const userOf = (revision: number, mutedMails: OptionalMail[]) =>
    ({ profile: { mutedMails, revision: `${revision}` } }) as unknown as User;
  let service = userOf(1, []);
  let shown = service;
  let sent = 0;
  const setMail = createMailSwitch({
    known: () => shown,
    update: (next) => (shown = next),
    save: async (mutedMails, revision) => {
      sent += 1;
      if (sent === 1) {
        // Another tab has saved in between.
        service = userOf(2, ["exports"]);
        throw new ApiError("unavailable", 503);
      }
      if (revision !== service.profile.revision) throw new ApiError("changed_elsewhere", 409);
      return (service = userOf(Number(revision) + 1, mutedMails));
    },
    read: async () => (shown = service),
  });
  const refused = setMail("usage", false).catch(() => "refused");
  const saved = setMail("updates", false);
  expect(await refused).toBe("refused");
  await saved;
  expect([...service.profile.mutedMails].toSorted()).toEqual(["exports", "updates"]);
  expect(shown).toEqual(service);
});
