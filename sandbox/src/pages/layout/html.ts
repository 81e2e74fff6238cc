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
