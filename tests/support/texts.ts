import { readFileSync } from 'node:fs';

/**
 * English interface text by id, for instance `text('account:erase.confirm')`. Replaces `{name}` by its value; other ICU
 * syntax stays.
 */
export function text(id: string, values: Readonly<Record<string, string | number>> = {}): string {
  const [section = '', key = ''] = id.split(':');
  const file = new URL(`../../locales/en/${section}.json`, import.meta.url);
  const found = key
    .split('.')
    .reduce<unknown>((node, part) => Object(node)[part], JSON.parse(readFileSync(file, 'utf8')));
  if (typeof found !== 'string') throw new Error(`locales/en has no message ${id}`);
  return found.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
