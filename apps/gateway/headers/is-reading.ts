/** Whether a request with this method only reads, so that it can be answered by our page, or sent again, without doing anything twice. */
export const isReading = (method: string | undefined): boolean => method === "GET" || method === "HEAD";
