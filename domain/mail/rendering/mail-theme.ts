/** The look of a mail. Mailboxes strip much CSS: inline styles are the light theme, the style sheet only adds the dark one. */
import type { CSSProperties } from "react";

const fontFamily = "Inter, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

export const mailStyles = {
  page: { margin: 0, padding: "32px 12px", backgroundColor: "#f4f6f8", color: "#18222d", fontFamily },
  container: { maxWidth: "520px", margin: "0 auto" },
  brand: {
    margin: 0,
    padding: "0 4px 16px",
    fontSize: "17px",
    lineHeight: "24px",
    fontWeight: 700,
    letterSpacing: "-0.01em",
    color: "#18222d",
  },
  card: { padding: "32px 28px", backgroundColor: "#ffffff", border: "1px solid #dfe5ea", borderRadius: "12px" },
  heading: { margin: "0 0 16px", fontSize: "22px", lineHeight: "30px", fontWeight: 650, color: "#18222d" },
  paragraph: { margin: "0 0 16px", fontSize: "15px", lineHeight: "24px", color: "#18222d" },
  button: {
    display: "inline-block",
    margin: "8px 0 24px",
    padding: "13px 22px",
    borderRadius: "8px",
    backgroundColor: "#0b5c68",
    color: "#ffffff",
    fontSize: "15px",
    fontWeight: 600,
    textDecoration: "none",
  },
  note: { margin: "0 0 8px", fontSize: "13px", lineHeight: "20px", color: "#52606d" },
  link: { color: "#0b5c68", fontSize: "13px", lineHeight: "20px", wordBreak: "break-all", textDecoration: "underline" },
  rule: { margin: "20px 0", border: "none", borderTop: "1px solid #dfe5ea" },
  footer: { margin: 0, padding: "16px 4px 0", fontSize: "12px", lineHeight: "18px", color: "#52606d" },
} as const satisfies Record<string, CSSProperties>;

/** Inline styles override a style sheet, hence `!important`. Contrasts are at least 4.5 : 1 in both themes (WCAG 2.2 AA). */
export const darkSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }
  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }
  .mail-text { color: #e8eef3 !important; }
  .mail-muted { color: #a5b3bf !important; }
  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }
  .mail-link { color: #7fe3e4 !important; }
  .mail-rule { border-color: #2d3944 !important; }
}`;
