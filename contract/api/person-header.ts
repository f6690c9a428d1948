/** With each call of the panel: the id of the person whose page makes it. Another person's session in the same browser answers `other_person`. */
export const personHeader = "x-slipway-person";
