import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LOCALES } from '@clearframe/contract';
import { build } from 'esbuild';
import { drawIcon } from './icons.ts';
import type { Labels } from './manifest.ts';

/** What is the same for every server. */
export interface Built {
  /** Content by path in the plug-in. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly commands: Readonly<Record<string, Labels>>;
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Of Photoshop 25.1. */
const TARGET = 'es2021';
/** Errors that calls of the plug-in can have. */
const ERRORS =
  /^(?:exports|idempotency|masks|media|outputs|pipeline|plugin_keys|queue|request|service|tasks|uploads)\./;

/** `{ "a": { "b": "…" } }` → `a.b` */
function* flatten(node: unknown, path: readonly string[] = []): Generator<[string, string]> {
  if (typeof node === 'string') yield [path.join('.'), node];
  else if (typeof node === 'object' && node !== null)
    for (const [key, value] of Object.entries(node)) yield* flatten(value, [...path, key]);
}

const section = (language: string, name: string): [string, string][] => [
  ...flatten(JSON.parse(readFileSync(at(`../locales/${language}/${name}.json`), 'utf8'))),
];

/** The panel's texts, names of tools as the pages have them, and errors. */
function textsOf(language: string): Record<string, string> {
  const panel = section(language, 'plugin').filter(([key]) => key.startsWith('panel.'));
  const tools = section(language, 'result').flatMap(([key, message]): [string, string][] => {
    const short = key.replace(/^panel\./, '');
    return /^panel\.(?:tools|models|plans|upscale|model|strength|faces)\b/.test(key) ? [[short, message]] : [];
  });
  const errors = section(language, 'common').flatMap(([key, message]): [string, string][] => {
    const code = key.replace(/^errors\./, '');
    return key.startsWith('errors.') && ERRORS.test(code) ? [[key, message]] : [];
  });
  return Object.fromEntries([...panel, ...tools, ...errors]);
}

export async function buildPlugin(): Promise<Built> {
  const catalogue = Object.fromEntries(LOCALES.map((language) => [language, textsOf(language)]));
  const { outputFiles } = await build({
    entryPoints: [at('src/panel/main.ts')],
    tsconfig: at('tsconfig.json'),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: TARGET,
    charset: 'utf8',
    // Given by Photoshop.
    external: ['photoshop', 'uxp', 'os'],
    define: { __CATALOGUE__: JSON.stringify(catalogue) },
  });
  const [script] = outputFiles;
  if (!script) throw new Error('esbuild wrote no script');
  const page = (name: string) => new Uint8Array(readFileSync(at(`src/panel/${name}`)));
  const icons = await Promise.all(
    [
      { name: 'panel', size: 23 },
      { name: 'plugin', size: 24 },
    ].flatMap(({ name, size }) =>
      (['dark', 'light'] as const).flatMap((theme) =>
        [1, 2].map(async (scale) => {
          const file = `icons/${name}-${theme}@${scale}x.png`;
          return [file, await drawIcon(size * scale, theme)] as const;
        }),
      ),
    ),
  );
  const label = (key: string): Labels => {
    const { en = key, ...others } = Object.fromEntries(
      LOCALES.map((language) => [language.slice(0, 2), catalogue[language]?.[key] ?? key]),
    );
    return { default: en, ...others };
  };
  return {
    files: {
      'index.html': page('index.html'),
      'index.js': script.contents,
      'style.css': page('style.css'),
      ...Object.fromEntries(icons),
    },
    commands: {
      faces: label('tools.faceEnhance'),
      cleanUp: label('panel.commands.cleanUp'),
      last: label('panel.commands.last'),
      folder: label('panel.commands.folder'),
    },
  };
}
