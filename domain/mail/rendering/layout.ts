/** The layout of all mails. Elements are made by calls, because the server runs TypeScript without a build and so without JSX. */
import { createElement as element, type ReactElement, type ReactNode } from "react";
import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Hr } from "@react-email/hr";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import { mailWords } from "./mail-words.ts";
import type { MailBlock, MailContent } from "./mail-content.ts";
import { darkSheet, mailStyles as styles } from "./mail-theme.ts";

/** The mail as a page. React escapes all text; no block contains markup. */
export function mailLayout(content: MailContent): ReactElement {
  return element(
    Html,
    { lang: content.language ?? "en", dir: "ltr" },
    head(content.subject),
    element(Preview, null, content.preview),
    element(
      Body,
      { className: "mail-page", style: styles.page },
      // A landmark that screen readers can jump to; a mail has no other.
      element("div", { role: "main" }, frame(content)),
    ),
  );
}

function frame(content: MailContent): ReactElement {
  const words = mailWords(content.language ?? null);
  return element(
    Container,
    { style: styles.container },
    element(Text, { className: "mail-text", style: styles.brand }, words.brand),
    element(
      Section,
      { className: "mail-card", style: styles.card },
      element(Heading, { as: "h1", className: "mail-text", style: styles.heading }, content.heading),
      ...content.blocks.map((each) => block(each, words.plainLink)),
    ),
    element(Text, { className: "mail-muted", style: styles.footer }, words.footer),
  );
}

function head(title: string): ReactElement {
  return element(
    Head,
    null,
    element("title", null, title),
    element("meta", { name: "viewport", content: "width=device-width" }),
    element("meta", { name: "color-scheme", content: "light dark" }),
    element("meta", { name: "supported-color-schemes", content: "light dark" }),
    element("style", { dangerouslySetInnerHTML: { __html: darkSheet } }),
  );
}

function block(content: MailBlock, plainLink: string): ReactNode {
  switch (content.kind) {
    case "paragraph":
      return element(Text, { className: "mail-text", style: styles.paragraph }, ...isolated(content.text));
    case "note":
      return element(Text, { className: "mail-muted", style: styles.note }, ...isolated(content.text));
    case "action":
      return [
        element(Button, { key: "button", href: content.href, className: "mail-button", style: styles.button }, content.label),
        element(Text, { key: "why", className: "mail-muted", style: styles.note }, plainLink),
        element(Link, { key: "link", href: content.href, className: "mail-link", style: styles.link }, content.href),
        element(Hr, { key: "rule", className: "mail-rule", style: styles.rule }),
      ];
  }
}

/** Letters of Hebrew, Arabic and their neighbours, with what joins them to one name. No language of our mails has any. */
const fromRightToLeft = /([\u0590-\u08ff\ufb1d-\ufefc]+(?:[\s'’"”.-]+[\u0590-\u08ff\ufb1d-\ufefc]+)*)/;

/** A name written from right to left would reorder the words, numbers and punctuation beside it; a mailbox that knows no `bdi` shows its text. */
const isolated = (text: string): ReactNode[] =>
  text.split(fromRightToLeft).map((part, index) => (index % 2 === 0 ? part : element("bdi", null, part)));
