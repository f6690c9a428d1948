/** Tells the control plane which community nodes are installed, and which of them this start left out. */
import { readHeldBack } from "./finished-boot.mts";
import type { Handler } from "../internals.mts";
import { nodesIn, readInstalled } from "./nodes-in.mts";

/** More than any workspace has; the control plane accepts no longer list. */
const mostNodes = 500;

/** Read from n8n's folder each time, since nodes change while n8n runs. */
export function createCommunityNodesHandler(folder: string): Handler {
  const isOffered = process.env["N8N_COMMUNITY_PACKAGES_ENABLED"] === "true";
  return (_request, response) => {
    const heldBack = readHeldBack(folder);
    const installed = nodesIn(readInstalled(folder)) ?? [];
    const nodes = installed
      .slice(0, mostNodes)
      .map(({ name, version }) => ({ name, version, isHeldBack: heldBack.some((each) => each.name === name && each.version === version) }));
    response.json({ isOffered, nodes: isOffered ? nodes : [] });
  };
}
