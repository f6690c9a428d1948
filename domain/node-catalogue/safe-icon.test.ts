import { expect, test } from "vitest";
import { withSafeIcon } from "./safe-icon.ts";

const keeps = (drawing: string | Buffer, mime: "image/svg+xml" | "image/png" = "image/svg+xml") =>
  withSafeIcon({
    name: "a",
    displayName: "A",
    popularity: 0,
    categories: [],
    icon: { mime, base64: Buffer.from(drawing).toString("base64") },
  }).icon !== null;

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"><path fill="url(#a)"/><linearGradient id="a"/></svg>',
  '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a"/></svg>',
  '<svg><image href="data:image/png;base64,AAAA"/></svg>',
  '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>',
  '<svg><style>.a{fill:url("#b")}</style></svg>',
])("a plain drawing is kept: %s", (drawing) => expect(keeps(drawing)).toBe(true));

test.each([
  "<svg><script>alert(1)</script></svg>",
  '<svg onload="alert(1)"/>',
  "<svg><foreignObject><body/></foreignObject></svg>",
  '<svg><a href="javascript:alert(1)">x</a></svg>',
  '<svg><use href="https://elsewhere.example/a.svg#b"/></svg>',
  '<svg><image xlink:href="data:image/svg+xml;base64,AAAA"/></svg>',
  '<svg><style>@import "https://elsewhere.example/a.css";</style></svg>',
  "<svg><style>.a{fill:url(https://elsewhere.example/b)}</style></svg>",
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
  '<svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></svg>',
  '<svg xmlns:h="http://www.w3.org/1999/xhtml"><h:img src="https://elsewhere.example/a.png"/></svg>',
  '<!DOCTYPE svg [<!ENTITY x "&#60;script>alert(1)&#60;/script>">]><svg>&x;</svg>',
  '<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
  '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg/>',
  '<svg><a><set attributeName="href" to="java&#115;cript:alert(1)"/></a></svg>',
  "<svg><style>.a{fill:u\\72l(https://elsewhere.example/b)}</style></svg>",
  "<svg><rect style=\"mask-image:image-set('https://elsewhere.example/b' 1x)\"/></svg>",
  '<?xml version="1.0" encoding="ISO-2022-JP"?><svg><scr\u001b(Bipt>alert(1)</scr\u001b(Bipt></svg>',
  "<html></html>",
])("what could run or load something is left out: %s", (drawing) => expect(keeps(drawing)).toBe(false));

test("a drawing in two bytes a letter is left out, whatever they spell in one", () => {
  const icon = Buffer.from("\uFEFF<svg><!-- \u733c\u6776 --><script>alert(1)</script></svg>", "utf16le");
  expect(icon.includes("<svg")).toBe(true);
  expect(keeps(icon)).toBe(false);
});

test("other image types are not treated as SVG", () => expect(keeps("<script>", "image/png")).toBe(true));
