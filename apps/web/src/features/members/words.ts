/** Words of the manage area: its navigation, and its people. Those of the settings stand in ./en-settings.ts. */
export const manageAreaWords = {
  nav: { label: "Manage", workspace: "Workspace", billing: "Billing", export: "Export", members: "Members" },
  members: {
    page: "Members",
    title: "Members",
    lead: "Who builds in your workspace, and who is asked in.",
    people: "People in the workspace",
    peopleLead: "As the workspace itself says. Roles are given, and people removed, in its own user management.",
    roles: "Change roles",
    role: { owner: "Owner", admin: "Admin", member: "Member", other: "Other role" },
    invited: "Invited",
    noLimit: "Your plan allows any number of people.",
    limit_one: "Your plan allows {{count}} person, you included.",
    limit_other: "Your plan allows {{count}} people, you included.",
    failed: "The members could not be loaded",
    old: "The workspace cannot be asked at the moment. This is who was there at {{time}}.",
    never: "The workspace could not be asked yet, so only you are shown.",
    invite: "Invite people",
  },
} as const;
