/** The words of the Members page. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const manageAreaWords = {
  members: {
    page: "Members",
    title: "Members",
    lead: "People in your workspace, and people you invited",
    people: "People",
    peopleLead: {
      n8n: "Roles are synced from n8n. Manage them there.",
      "node-red": "In Node-RED, only the owner signs in.",
    },
    roles: "Change roles",
    role: { owner: "Owner", admin: "Admin", member: "Member", other: "Other role" },
    invited: "Invited",
    noLimit: "Your plan allows unlimited people.",
    limit_one: "{{used}} of {{count}} person on your plan.",
    limit_other: "{{used}} of {{count}} people on your plan, invitations included.",
    you: "You",
    lastActive: "Last active {{day}}.",
    pending: "Pending invitations",
    alone: "Only you so far",
    aloneText: "People you invite appear here, first as pending and then as members.",
    single: "Node-RED has one user: you",
    singleText: "Other people cannot be invited.",
    failed: "The members could not be loaded",
    old: "The workspace cannot be reached at the moment. This list is from {{time}}.",
    never: "We have not reached the workspace yet, so only you and the people you invited are listed.",
    invite: "Invite people",
  },
} as const;

export const t = wordsOf({ ...frameWords, manageArea: manageAreaWords }, { de: () => import("./words.de.ts") });
