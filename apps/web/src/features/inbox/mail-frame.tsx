import { useState } from "react";

/** The margin that browsers give a body; if the mail sets none, it only adds some space below. */
const bodyMarginPx = 8;

/**
 * Shows a mail's HTML as a mail program would. The mail is not trusted: no scripts run, and links leave the frame only when a person clicks
 * them. The panel's content-security policy, which the frame inherits, forbids style attributes in its text; so they are passed under
 * another name and applied one by one.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const [heightPx, setHeightPx] = useState(640);
  return (
    <iframe
      title={title}
      srcDoc={withoutStyles(html)}
      sandbox="allow-same-origin allow-popups allow-top-navigation-by-user-activation"
      onLoad={(event) => {
        const mail = event.currentTarget.contentDocument;
        if (!mail) return;
        dress(mail);
        setHeightPx(mail.body.scrollHeight + 2 * bodyMarginPx);
      }}
      style={{ height: heightPx }}
      className="w-full rounded-lg border border-line bg-white [color-scheme:light]"
    />
  );
}

/** Style elements are left out as well: they only adjust details for dark mailboxes. */
function withoutStyles(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/(<[^>]*?\s)style=/gi, "$1data-style=");
}

function dress(mail: Document): void {
  for (const element of mail.querySelectorAll<HTMLElement>("[data-style]")) element.style.cssText = element.dataset["style"] ?? "";
  for (const link of mail.querySelectorAll("a")) link.target = "_top";
}
