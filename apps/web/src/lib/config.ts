/** Where each service stands. One module, so that they can be split over hosts (DESIGN §2). */
export const apiBase = "/api";
