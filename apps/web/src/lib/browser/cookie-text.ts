/** A cookie that the page itself sets, for its own host. */
export const cookieText = (name: string, value: string, seconds: number, isSecure = location.protocol === "https:"): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; SameSite=Lax${isSecure ? "; Secure" : ""}`;
