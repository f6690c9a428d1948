/**
 * Sent with each call of the panel: the id of the user whose page makes it. Under another user's session in the same
 * browser the answer is `other_person`.
 */
export const personHeader = "x-slipway-person";
