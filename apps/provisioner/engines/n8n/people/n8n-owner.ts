/** Tells an n8n about its owner, through the hook (workspace-side/people/owner-route.mts, workspace-side/people/profile-route.mts). */
import { createAsk, done, type Caller } from "../../call-workspace.ts";
import type { Engine } from "../../engine.ts";
import type { EngineOwner } from "../../port/engine-people.ts";
import { editorInformation } from "./editor-information.ts";

/** n8n stores a first and a last name, of up to 32 characters each. */
function toN8nOwner({ email, fullName }: EngineOwner): { email: string; firstName: string; lastName: string } {
  const [firstName = "", ...rest] = fullName.trim().split(/\s+/);
  return { email, firstName, lastName: rest.join(" ") };
}

/** The engine's calls about the owner. */
export function createN8nOwner(caller: Caller): Required<Pick<Engine, "setUpOwner" | "updateOwner" | "setProfile">> {
  const askOwner = createAsk(caller, "owner");
  const askChange = createAsk(caller, "owner", { mayRefuse: true });
  const askProfile = createAsk(caller, "profile");
  return {
    setUpOwner: async (address, workspaceId, owner) => {
      await askOwner(done, address, workspaceId, "/_slipway/owner", toN8nOwner(owner));
    },
    updateOwner: async (address, workspaceId, owner) => {
      await askChange(done, address, workspaceId, "/_slipway/owner/details", toN8nOwner(owner));
    },
    setProfile: async (address, workspaceId, { username, selectedApps, answers }) => {
      await askProfile(done, address, workspaceId, "/_slipway/profile", {
        username,
        selectedApps,
        information: editorInformation(answers),
      });
    },
  };
}
