/**
 * Part of `pnpm lint`: every language has every message with the same placeholders and its own plural forms, in the
 * words of its glossary. `locales/glossary.json` lists messages that may be the same, and words that a language avoids.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FALLBACK_LOCALE, LOCALE_SECTIONS, LOCALES, languageTagOf } from '@clearframe/contract';
import { hasWords, problemsOf, styleProblemsOf } from './messages.ts';

const FOLDER = fileURLToPath(new URL('../../locales/', import.meta.url));

type Messages = ReadonlyMap<string, string>;

/** `{ "a": { "b": "…" } }` → `a.b` */
function* flatten(node: unknown, path: readonly string[] = []): Generator<[string, string]> {
  if (typeof node === 'string') yield [path.join('.'), node];
  else if (typeof node === 'object' && node !== null && !Array.isArray(node)) {
    for (const [key, value] of Object.entries(node)) yield* flatten(value, [...path, key]);
  } else throw new Error(`${path.join('.')}: neither a message nor a group of messages`);
}

const read = (file: string): Messages => new Map(flatten(JSON.parse(readFileSync(file, 'utf8'))));

/** `{ "same": { "common:name": ["*"], "home:x": ["de", "it"] }, "avoided": { "de": { "Plan": "Tarif" } } }` */
const glossary: { same: Record<string, string[]>; avoided: Record<string, Record<string, string>> } = JSON.parse(
  readFileSync(`${FOLDER}glossary.json`, 'utf8'),
);

const mayBeSame = (id: string, locale: string): boolean => {
  const locales = glossary.same[id] ?? [];
  return locales.includes('*') || locales.includes(locale);
};

function* problems(): Generator<string> {
  for (const locale of LOCALES) {
    for (const section of LOCALE_SECTIONS) {
      const file = `${FOLDER}${locale}/${section}.json`;
      if (!existsSync(file)) {
        yield `locales/${locale}/${section}.json is missing`;
        continue;
      }
      const [original, translation] = [read(`${FOLDER}${FALLBACK_LOCALE}/${section}.json`), read(file)];
      for (const key of translation.keys()) if (!original.has(key)) yield `${locale} ${section}:${key} is not used`;
      for (const [key, words] of original) {
        const id = `${section}:${key}`;
        const own = translation.get(key);
        if (own === undefined) yield `${locale} ${id} is missing`;
        else {
          const tag = languageTagOf(locale);
          for (const problem of problemsOf(words, own, tag)) yield `${locale} ${id} ${problem}`;
          if (locale !== FALLBACK_LOCALE)
            for (const problem of styleProblemsOf(own, tag, glossary.avoided[locale]))
              yield `${locale} ${id} ${problem}`;
          const isSame = locale !== FALLBACK_LOCALE && own === words && hasWords(words);
          if (isSame && !mayBeSame(id, locale)) yield `${locale} ${id} is not translated: ${words}`;
        }
      }
    }
  }
  const known = new Set<string>([...LOCALES, 'glossary.json']);
  for (const entry of readdirSync(FOLDER)) if (!known.has(entry)) yield `locales/${entry} is not used`;
}

const found = [...problems()];
for (const problem of found) console.error(problem);
console.log(found.length === 0 ? `${LOCALES.length} languages are complete` : `${found.length} problems in locales`);
process.exitCode = found.length === 0 ? 0 : 1;
