/** The address of a workspace that has no owner yet: it leads nowhere (RFC 2606). Used by the control plane and the workspace. */
export const blankUrl = "http://blank.invalid";
