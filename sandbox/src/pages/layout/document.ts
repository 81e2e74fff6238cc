import { Html, html } from './html.js';

interface Frame {
  readonly title: string;
  readonly banner: string;
  /** CSS; the content security policy of the page allows it by its hash. */
  readonly style: string;
}

export const documentOf = ({ title, banner, style }: Frame, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${new Html(`<style>${style}</style>`)}
</head>
<body>
<header class="banner">Sandbox: ${banner}</header>
${content}
</body>
</html>
`.source;
