import { readFileSync } from 'node:fs';

/**
 * English interface text by its id, for instance `text('account:erase.confirm')`. `{name}` takes its value from
 * `values`; other ICU syntax stays as it is written.
 */
export function text(id: string, values: Readonly<Record<string, string | number>> = {}): string {
  const [section = '', key = ''] = id.split(':');
  const file = new URL(`../../locales/en/${section}.json`, import.meta.url);
  const found = key
    .split('.')
    .reduce<unknown>((node, part) => Object(node)[part], JSON.parse(readFileSync(file, 'utf8')));
  if (typeof found !== 'string') throw new Error(`locales/en has no text ${id}`);
  return found.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
