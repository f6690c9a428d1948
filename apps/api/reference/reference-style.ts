/** The reference's styles: the panel's colours (apps/web/src/app.css) and typeface, light and dark. */

/** The typeface's address, which describe-api.ts serves. */
export const typefacePath = "/docs/inter.woff2";

export const referenceStyle = `
@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url(/api${typefacePath}) format("woff2")}
:root{color-scheme:light dark;--canvas:light-dark(#f4f7f7,#0b1416);--surface:light-dark(#fff,#111d20);--sunken:light-dark(#ecf1f1,#0d181a);--line:light-dark(#d9e2e2,#25373b);--strong:light-dark(#7e9292,#5b7479);--ink:light-dark(#0d2024,#e8f0f0);--soft:light-dark(#46595d,#a5b8bb);--accent:light-dark(#0b5c68,#5ccbd0);--accent-strong:light-dark(#084851,#85dfe2);--accent-soft:light-dark(#e0f0f1,#12343a);--on-accent:light-dark(#fff,#06262b);--good:light-dark(#116a3c,#6ed39a);--warning:light-dark(#7f4f00,#f0bd6a);--warning-soft:light-dark(#fbf0d9,#33270f);--bad:light-dark(#a8262b,#f69a96);--bad-soft:light-dark(#fbe7e6,#3a1a1b)}
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
.frame{max-width:1152px;margin:0 auto;padding:32px 24px 64px;display:grid;gap:40px;grid-template-columns:208px minmax(0,1fr)}
nav ul{margin:0;padding:0;list-style:none}
nav>ul{position:sticky;top:88px;max-height:calc(100vh - 112px);overflow:auto;padding:2px}
nav a{display:block;padding:6px 10px;border-radius:8px;font-size:14px;font-weight:500;color:var(--soft);text-decoration:none}
nav a:hover{background:var(--sunken);color:var(--ink)}
nav a[aria-current]{background:var(--accent-soft);color:var(--accent-strong)}
nav ul ul{display:none;margin:2px 0 6px 10px;padding-left:6px;border-left:1px solid var(--line)}
nav li.here>ul{display:block}
nav ul ul a{padding:4px 8px;font:12px/1.4 ui-monospace,Menlo,monospace;overflow-wrap:anywhere}
h1{margin:0;font-size:28px;letter-spacing:-.01em}
.lead{color:var(--soft)}
h2{margin:40px 0 12px;font-size:19px}
h3{margin:20px 0 6px;font-size:14px}
p{margin:8px 0}
code,pre,textarea{font:13px/1.55 ui-monospace,Menlo,monospace}
pre{margin:0;padding:14px 16px;overflow-x:auto;background:var(--sunken);border:1px solid var(--line);border-radius:10px}
pre i,.c-comment{color:var(--soft)}
.c-string{color:var(--good)}
.c-keyword,.c-literal,.c-number{color:var(--warning)}
.c-variable,.c-subst,.c-attr{color:var(--accent)}
.c-title{color:var(--accent-strong)}
.calls{overflow:clip;background:var(--surface);border:1px solid var(--line);border-radius:12px}
details+details{border-top:1px solid var(--line)}
details[open]{padding-bottom:20px}
details[open]>summary{border-bottom:1px solid var(--line)}
summary{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;padding:11px 18px;cursor:pointer;overflow-wrap:anywhere;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--sunken)}
summary:focus-visible{outline-offset:-2px}
summary b{width:58px;flex:none;padding:1px 0;border-radius:6px;text-align:center;font-size:11px;letter-spacing:.02em;color:var(--accent-strong);background:var(--accent-soft)}
summary .post,summary .put,summary .patch{color:var(--warning);background:var(--warning-soft)}
summary .delete{color:var(--bad);background:var(--bad-soft)}
summary code{font-weight:600}
summary span{color:var(--soft);font-size:14px}
summary span code{font-weight:400}
.call{padding:4px 18px 0}
.call>div{min-width:0}
.codes{display:flex;flex-wrap:wrap;gap:2px 12px;font:13px/1.7 ui-monospace,Menlo,monospace}
[data-examples=curl] .ts,[data-examples=ts] .curl{display:none}
[data-examples] .curl>h3,[data-examples] .ts>h3{display:none}
.how>div+div{margin-top:16px}
@media (min-width:1100px){.call{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 24px}[data-examples] .how{padding-top:12px}}
table{width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line)}
th,td{padding:8px 12px;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
td:nth-child(2):not(:last-child){overflow-wrap:normal}
tr:target{background:var(--sunken)}
input,textarea{width:100%;padding:9px 12px;background:var(--surface);color:inherit;border:1px solid var(--strong);border-radius:8px;font:14px "Inter Variable",system-ui,sans-serif}
textarea{font-family:ui-monospace,Menlo,monospace}
input[type=checkbox]{width:18px;height:18px;flex:none;accent-color:var(--accent)}
button{min-height:36px;padding:0 14px;border:1px solid var(--strong);border-radius:8px;background:var(--surface);color:inherit;font:500 14px "Inter Variable",system-ui,sans-serif;cursor:pointer}
button[type=submit]{border-color:transparent;background:var(--accent);color:var(--on-accent)}
button:disabled{opacity:.6;cursor:default}
.sample{position:relative}
.copy{position:absolute;top:7px;right:7px;min-height:28px;padding:0 10px;border-color:var(--line);font-size:12px}
.sample pre{padding-right:72px}
.find{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:end;margin-top:32px}
.find p{flex:1 1 260px;margin:0}
.choice{display:flex;padding:2px;background:var(--surface);border:1px solid var(--strong);border-radius:8px}
.choice button{min-height:32px;border:0;border-radius:6px;background:none;color:var(--soft);font-size:13px}
.choice button[aria-pressed=true]{background:var(--accent-soft);color:var(--accent-strong)}
.find label,.try label span{display:block;margin-bottom:4px;font-size:14px;font-weight:500}
.try{margin-top:24px;padding:4px 16px 16px;border:1px solid var(--line);border-radius:10px}
.try p,.try label{font-size:14px}
.try h3{margin-top:12px}
.try label{display:block;margin:12px 0}
.try .sure{display:flex;gap:10px;align-items:center}
.try .answer{margin-top:12px}
.try .answer pre{max-height:420px;overflow:auto}
.good{color:var(--good)}
.bad{color:var(--bad)}
@media (max-width:800px){.frame{grid-template-columns:minmax(0,1fr);gap:8px;padding:16px}header div{padding:0 16px}html{scroll-padding-top:112px}nav{position:sticky;top:57px;z-index:1;margin:-16px -16px 16px;background:var(--canvas);border-bottom:1px solid var(--line)}nav>ul{display:flex;position:static;max-height:none;padding:6px 12px;overflow-x:auto}nav a{padding:8px 10px;white-space:nowrap}nav li.here>ul{display:none}header div{gap:14px}header .home b{display:none}th,td{padding:8px 6px}th{width:42%}.copy{min-height:32px}}
@media (max-width:560px){.sample pre{padding:48px 16px 14px}}
@media print{header,nav,.find,.try,.copy{display:none}.frame{display:block}}
`;
