/** Where a page's address says why a link that led to it gave no file: the problem's code, and the request's number. */
export const refusedDownload = { code: "download", requestId: "request" } as const;
