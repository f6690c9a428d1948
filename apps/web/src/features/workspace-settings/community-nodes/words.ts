/** Words of the community nodes. */
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const communityNodesWords = {
  title: "Community nodes",
  lead: "Packages installed in the workspace. Add and remove them in its own settings.",
  manage: "Add or remove",
  failed: "The community nodes could not be loaded",
  old: "The workspace cannot be reached at the moment. This list is from {{time}}.",
  never: "The workspace has not reported its community nodes yet.",
  empty: "No community nodes yet",
  emptyText: "Nodes you add in the workspace appear here.",
  heldBack: "Held back",
  heldBackText:
    "The workspace did not start with its community nodes, so it is running without them. Remove or update one, then restart the workspace.",
} as const;

export const t = wordsOf({ ...frameWords, communityNodes: communityNodesWords }, { de: () => import("./words.de.ts") });
