/** Where entries in the billing details are kept until they are saved. */
export const detailsDraft = (userId: string) => `billing-details.${userId}` as const;
