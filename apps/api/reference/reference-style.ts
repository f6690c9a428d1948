/** The reference's styles: the panel's colours (apps/web/src/app.css) and typeface, light and dark. */

/** The typeface's address, which describe-api.ts serves. */
export const typefacePath = "/docs/inter.woff2";

export const referenceStyle = `
@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url(/api${typefacePath}) format("woff2")}
:root{color-scheme:light dark;--canvas:light-dark(#f4f7f7,#0b1416);--surface:light-dark(#fff,#111d20);--sunken:light-dark(#ecf1f1,#0d181a);--line:light-dark(#d9e2e2,#25373b);--strong:light-dark(#7e9292,#5b7479);--ink:light-dark(#0d2024,#e8f0f0);--soft:light-dark(#46595d,#a5b8bb);--accent:light-dark(#0b5c68,#5ccbd0);--on-accent:light-dark(#fff,#06262b);--good:light-dark(#116a3c,#6ed39a);--warning:light-dark(#7f4f00,#f0bd6a);--bad:light-dark(#a8262b,#f69a96)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:72px}
body{margin:0;background:var(--canvas);color:var(--ink);font:15px/1.55 "Inter Variable",ui-sans-serif,system-ui,sans-serif}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{position:sticky;top:0;z-index:1;background:var(--surface);border-bottom:1px solid var(--line)}
header div{display:flex;gap:20px;align-items:center;height:56px;max-width:1152px;margin:0 auto;padding:0 24px}
header a{font-size:14px;font-weight:500;color:var(--soft);text-decoration:none}
header a:hover{color:var(--ink)}
header .home{display:flex;gap:10px;align-items:center;color:var(--ink)}
header .last{margin-left:auto}
.frame{max-width:1152px;margin:0 auto;padding:32px 24px 64px;display:grid;gap:40px;grid-template-columns:176px minmax(0,1fr)}
nav ul{position:sticky;top:88px;max-height:calc(100vh - 112px);overflow:auto;margin:0;padding:0;list-style:none}
nav a{display:block;padding:6px 10px;border-radius:8px;font-size:14px;font-weight:500;color:var(--soft);text-decoration:none}
nav a:hover{background:var(--sunken);color:var(--ink)}
h1{margin:0;font-size:28px;letter-spacing:-.01em}
.lead{color:var(--soft)}
h2{margin:40px 0 12px;font-size:19px}
h3{margin:20px 0 6px;font-size:14px}
p{margin:8px 0}
code,pre,textarea{font:13px/1.55 ui-monospace,Menlo,monospace}
pre{margin:0;padding:14px 16px;overflow-x:auto;background:var(--sunken);border:1px solid var(--line);border-radius:10px}
pre i{color:var(--soft)}
details{margin:0 0 8px;padding:0 16px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
details[open]{padding-bottom:20px}
summary{padding:12px 0;cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:58px;font-size:12px;color:var(--accent)}
summary .post,summary .put,summary .patch{color:var(--warning)}
summary .delete{color:var(--bad)}
summary span{color:var(--soft)}
table{width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line)}
th,td{padding:8px 12px;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
tr:target{background:var(--sunken)}
input,textarea{width:100%;padding:9px 12px;background:var(--surface);color:inherit;border:1px solid var(--strong);border-radius:8px;font-size:14px}
input[type=checkbox]{width:18px;height:18px;flex:none;accent-color:var(--accent)}
button{min-height:36px;padding:0 14px;border:1px solid var(--strong);border-radius:8px;background:var(--surface);color:inherit;font:500 14px "Inter Variable",system-ui,sans-serif;cursor:pointer}
button[type=submit]{border-color:transparent;background:var(--accent);color:var(--on-accent)}
button:disabled{opacity:.6;cursor:default}
.copy{float:right;min-height:28px;margin-top:-32px;padding:0 10px;font-size:12px}
.find{margin-top:32px}
.find label,.try label span{display:block;margin-bottom:4px;font-size:14px;font-weight:500}
.try{margin-top:24px;padding:4px 16px 16px;border:1px solid var(--line);border-radius:10px}
.try label{display:block;margin:12px 0}
.try .sure{display:flex;gap:10px;align-items:center}
.try .answer{margin-top:12px}
.try .answer pre{max-height:420px;overflow:auto}
.good{color:var(--good)}
.bad{color:var(--bad)}
@media (max-width:800px){.frame{grid-template-columns:minmax(0,1fr);gap:8px;padding:16px}header div{padding:0 16px}nav ul{display:flex;flex-wrap:wrap;position:static;max-height:none}th,td{padding:8px 6px}.copy{min-height:36px;margin-top:-38px}}
@media print{header,nav,.find,.try,.copy{display:none}.frame{display:block}}
`;
