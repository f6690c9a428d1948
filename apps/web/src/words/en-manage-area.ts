/** Words of the manage area: its navigation, the workspace's settings, and its people. */
export const manageAreaWords = {
  nav: { label: "Manage", workspace: "Workspace", billing: "Billing", export: "Export", members: "Members" },
  members: {
    page: "Members",
    title: "Members",
    invite: "Invite people",
  },
} as const;
