import { createHash } from 'node:crypto';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export class Html {
  constructor(readonly source: string) {}
}

type Part = Html | string | number | null | false | readonly Part[];

function sourceOf(part: Part): string {
  if (part instanceof Html) return part.source;
  if (part === null || part === false) return '';
  if (typeof part === 'object') return part.map(sourceOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Escapes values other than results of this template. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.reduce((source, literal, index) => source + sourceOf(parts[index - 1] ?? null) + literal));

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

/** Content-Security-Policy of a page whose only style is given, and which is not framed. */
export const policyOf = (style: string, ...directives: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...directives,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
