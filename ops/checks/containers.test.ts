import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const exists = (file: string): boolean => existsSync(path.join(ROOT, file));

const COMPOSE = read('docker-compose.yml');
const DOCKERFILE = read('ops/docker/Dockerfile');
const OPERATING = read('docs/operating.md');

const SERVICES = {
  api: ['api/src', 'runtime/src'],
  worker: ['worker/src', 'runtime/src'],
  web: ['web/server', 'web/app'],
} as const;
type Service = keyof typeof SERVICES;
const NAMES = Object.keys(SERVICES) as Service[];

const VARIABLE = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g;
const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map(([name]) => name);

/** Names in the sources of a service, most of them variables. */
const KNOWN: Readonly<Record<Service, ReadonlySet<string>>> = {
  api: namesIn('api'),
  worker: namesIn('worker'),
  web: namesIn('web'),
};

function namesIn(service: Service): ReadonlySet<string> {
  const files = SERVICES[service].flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  return new Set(files.filter((file) => !file.includes('.test.')).flatMap((file) => variablesIn(read(file))));
}

/** Variables that compose sets for a service, by its own block and the shared ones that the block includes. */
function variablesOf(service: Service): string[] {
  const block = (name: string): string =>
    new RegExp(`^( *)${name}:.*\\n(?:\\1 +.*\\n|\\n)*`, 'm').exec(COMPOSE)?.[0] ?? '';
  const own = service === 'api' ? block('x-api') : block(service);
  const shared = ['environment', 'site', 'storage']
    .filter((name) => own.includes(`*${name}`))
    .map((name) => block(`x-${name}`));
  return [own, ...shared].flatMap((text) => [...text.matchAll(/^ +([A-Z][A-Z\d_]+): /gm)].map(([, name = '']) => name));
}

const READ_BY_LIBRARIES = new Set(['NODE_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
/** Set by the images, or only with files or programs that the images don't have. */
const SET_BY_IMAGES = new Set([
  'FFMPEG_PATH',
  'FFPROBE_PATH',
  'CLEARFRAME_MODELS_DIR',
  'GOOGLE_APPLICATION_CREDENTIALS',
]);
/** Words of variables that production refuses or that only the launcher sets. */
const LOCAL = /refused in production|production does not start with it|set by `npm start`|is refused in/;

/** Variables in the first column of the tables for operators. */
const DOCUMENTED = OPERATING.split('\n')
  .filter((line) => /^\| `[A-Z]/.test(line) && !LOCAL.test(line))
  .flatMap((line) => variablesIn(line.split('|')[1] ?? ''));

describe.each(NAMES)('the variables of %s in docker-compose.yml', (service) => {
  it('are read by its sources', () => {
    const unread = variablesOf(service).filter((name) => !KNOWN[service].has(name) && !READ_BY_LIBRARIES.has(name));
    expect(unread).toEqual([]);
  });

  it('include each one that docs/operating.md describes', () => {
    const set = new Set(variablesOf(service));
    const wanted = DOCUMENTED.filter((name) => KNOWN[service].has(name) && !SET_BY_IMAGES.has(name));
    expect(wanted.length).toBeGreaterThan(5);
    expect(wanted.filter((name) => !set.has(name))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const copies = [...DOCKERFILE.matchAll(/^COPY (?:--from=(\S+) )?(.+) \S+$/gm)].flatMap(([, from, sources = '']) =>
    sources.split(' ').map((source) => ({ from, source })),
  );

  it('copies existing files', () => {
    const fromContext = copies.filter(({ from }) => from === undefined).map(({ source }) => source);
    expect(fromContext.length).toBeGreaterThan(10);
    expect(fromContext.filter((source) => !exists(source))).toEqual([]);
    const built = copies.filter(({ from }) => from === 'build').map(({ source }) => path.relative('/app', source));
    expect(built.filter((source) => !exists(path.dirname(source)))).toEqual([]);
  });

  it('copies the manifest of every package', () => {
    const packages = [...read('pnpm-workspace.yaml').matchAll(/^ {2}- (\w+)$/gm)].map(
      ([, name]) => `${name}/package.json`,
    );
    expect(packages.length).toBeGreaterThan(5);
    expect(copies.map(({ source }) => source)).toEqual(expect.arrayContaining(packages));
  });

  it('and docker-compose.yml start existing programs', () => {
    const programs = [...`${DOCKERFILE}\n${COMPOSE}`.matchAll(/(?:CMD|command:) \[(.+)\]/g)]
      .map(([, parts = '']) => parts.split(', ').at(-1)?.replaceAll('"', '') ?? '')
      .filter((program) => /^[\w/-]+\.(?:js|ts)$/.test(program));
    expect(programs).toHaveLength(4);
    const sources = programs.map((program) => program.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    expect(sources.filter((source) => !exists(source))).toEqual([]);
  });
});
