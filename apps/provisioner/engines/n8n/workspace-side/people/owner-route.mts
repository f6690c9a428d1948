/** POST /_slipway/owner: the control plane names the workspace's owner, once; …/details: changes their name and address. */
import { randomBytes } from "node:crypto";
import { findOwner, type Handler, type HookContext, type Internals } from "../internals.mts";

/** Under this key, n8n's settings remember the owner we set up, in case they later change their e-mail address. */
const settingKey = "slipway.owner";
const maxNameLength = 32;

interface OwnerBody {
  email: string;
  firstName: string;
  lastName: string;
}

/** Creates the owner with an unknown random password: 201; repeated for the same owner: 200; for another: 409. */
export function createOwnerHandler(context: HookContext, internals: Internals): Handler {
  let last: Promise<unknown> = Promise.resolve();
  return async (request, response) => {
    const body = readBody(request.body);
    if (body === undefined) return response.status(422).json({ message: "email, firstName and lastName are needed" });
    // One after the other: two simultaneous requests must not both find no owner.
    const turn = last.then(() => setUp(body));
    last = turn.catch(() => undefined);
    const [status, message] = await turn;
    return response.status(status).json({ message });
  };

  async function setUp(body: OwnerBody): Promise<[number, string]> {
    const email = body.email.toLowerCase();
    const owner = await findOwner(context);
    if (owner === undefined) {
      await internals.ownership.setupOwner({ ...body, email, password: randomBytes(32).toString("base64url") });
      await context.dbCollections.Settings.save({ key: settingKey, value: JSON.stringify(email), loadOnStartup: false });
      return [201, "owner created"];
    }
    const setting = await context.dbCollections.Settings.findOne({ where: { key: settingKey } });
    const isSame = owner.email === email || setting?.value === JSON.stringify(email);
    return isSame ? [200, "this owner exists"] : [409, "this workspace has another owner"];
  }
}

/** Gives the owner this e-mail address and name: 200; 409 if another user of the workspace has the address. */
export function createOwnerUpdateHandler(context: HookContext, internals: Internals): Handler {
  return async (request, response) => {
    const body = readBody(request.body);
    if (body === undefined) return response.status(422).json({ message: "email, firstName and lastName are needed" });
    const owner = await findOwner(context);
    if (owner === undefined) return response.status(503).json({ message: "this workspace has no owner yet" });
    const email = body.email.toLowerCase();
    const holder = await context.dbCollections.User.findOne({ where: { email } });
    if (holder !== null && holder.id !== owner.id)
      return response.status(409).json({ message: `${email} belongs to another user of this workspace` });
    await internals.users.update(owner.id, { ...body, email });
    return response.status(200).json({ message: "owner updated" });
  };
}

function readBody(body: unknown): OwnerBody | undefined {
  const { email, firstName, lastName } = (body ?? {}) as Record<string, unknown>;
  if (typeof email !== "string" || !email.includes("@") || typeof firstName !== "string" || typeof lastName !== "string") return undefined;
  return { email, firstName: firstName.slice(0, maxNameLength), lastName: lastName.slice(0, maxNameLength) };
}
