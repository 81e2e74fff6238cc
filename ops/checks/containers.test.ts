import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SECRETS } from '../secret-files.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const exists = (file: string): boolean => existsSync(path.join(ROOT, file));

interface Container {
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly logging?: unknown;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly mem_limit?: string;
}

const COMPOSE: {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: unknown } | null>>;
} = parse(read('docker-compose.yml'), { merge: true });
/** Merged over it for secrets as files. */
const SECRETS_FILE: {
  readonly services: Readonly<Record<string, Container>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
} = parse(read('ops/docker/secrets.yml'), { merge: true });
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

/** Without those that name files of secrets. */
const variablesOf = (service: Service): string[] =>
  Object.keys(COMPOSE.services[service]?.environment ?? {}).filter((name) => !FILES.has(name));

const FILES = new Set(SECRETS.map((name) => `${name}_FILE`));
const READ_BY_LIBRARIES = new Set(['NODE_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
/** Set by the images, or only with files or programs that the images don't have. */
const SET_BY_IMAGES = new Set([
  'FFMPEG_PATH',
  'FFPROBE_PATH',
  'CLEARFRAME_MODELS_DIR',
  'GOOGLE_APPLICATION_CREDENTIALS',
]);
/** Named in the sources of `api` for backups only, which the service `backup` makes. */
const FOR_BACKUPS = new Set(['CLEARFRAME_COOKIE_SECRET']);
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
    const isSetElsewhere = (name: string) => SET_BY_IMAGES.has(name) || (service === 'api' && FOR_BACKUPS.has(name));
    const wanted = DOCUMENTED.filter((name) => KNOWN[service].has(name) && !isSetElsewhere(name));
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
    const inImages = [...DOCKERFILE.matchAll(/CMD \[(.+)\]/g)].map(([, parts = '']) =>
      parts.replaceAll('"', '').split(', '),
    );
    const inCompose = Object.values(COMPOSE.services).map(({ command = [] }) => [command].flat());
    const programs = [...inImages, ...inCompose]
      .flatMap((parts) => parts.filter((part) => /^[\w/-]+\.(?:js|ts)$/.test(part)))
      .map((program) => program.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    expect(programs).toHaveLength(5);
    expect(programs.filter((source) => !exists(source))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const services = Object.entries(COMPOSE.services);
  const OF_PRODUCT = new Set(['migrate', 'api', 'api-jobs', 'backup', 'worker', 'worker-videos', 'web']);
  const namesWithout = (isMet: (service: Container) => boolean, of = services) =>
    of.filter(([, service]) => !isMet(service)).map(([name]) => name);

  it('rotates the logs of all services', () => {
    expect(services.length).toBeGreaterThan(10);
    expect(namesWithout(({ logging }) => logging !== undefined)).toEqual([]);
  });

  it("limits memory and rights of the product's services, and where they write", () => {
    const own = services.filter(([name]) => OF_PRODUCT.has(name));
    expect(own).toHaveLength(OF_PRODUCT.size);
    expect(namesWithout(({ read_only }) => read_only === true, own)).toEqual([]);
    expect(namesWithout(({ cap_drop }) => cap_drop?.join() === 'ALL', own)).toEqual([]);
    expect(namesWithout(({ security_opt }) => security_opt?.includes('no-new-privileges:true') ?? false, own)).toEqual(
      [],
    );
    expect(namesWithout(({ mem_limit }) => mem_limit !== undefined, own)).toEqual([]);
  });

  it('lets workers reach Redis only, and pages no store', () => {
    const reached = (name: string): string[] => {
      const own = COMPOSE.services[name]?.networks ?? [];
      return services
        .filter(([other, { networks = [] }]) => other !== name && networks.some((network) => own.includes(network)))
        .map(([other]) => other);
    };
    expect(namesWithout(({ networks = [] }) => networks.length > 0)).toEqual([]);
    // Prometheus asks each process for its metrics.
    expect(reached('worker')).toEqual(['redis', 'worker-videos', 'prometheus']);
    expect(reached('worker-videos')).toEqual(['redis', 'worker', 'prometheus']);
    for (const name of ['web', 'caddy'])
      expect(reached(name).filter((other) => /postgres|redis|worker/.test(other))).toEqual([]);
    for (const network of ['data', 'work']) expect(COMPOSE.networks[network]?.internal).toBeTruthy();
  });
});

describe('secrets as files', () => {
  const mounted = Object.entries(SECRETS_FILE.services);

  it('are known for each variable of docker-compose.yml that holds one', () => {
    const names = Object.values(COMPOSE.services).flatMap(({ environment = {} }) => Object.keys(environment));
    const secret =
      /_(?:SECRET|SECRET_KEY|PASSWORD|PASSWORD_HASH|PASSPHRASE|TOKEN|ACCOUNT)$|^(?:DATABASE|REDIS|SMTP)_URL$/;
    // Those of the images of PostgreSQL, Redis and Grafana.
    const foreign = new Set(['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GF_SECURITY_ADMIN_PASSWORD']);
    const wanted = new Set(names.filter((name) => secret.test(name) && !foreign.has(name)));
    expect(wanted.size).toBeGreaterThan(12);
    expect([...wanted].filter((name) => !SECRETS.includes(name))).toEqual([]);
    expect(SECRETS.filter((name) => !OPERATING.includes(name))).toEqual([]);
  });

  it('replace each variable that is generated, in each service that reads it', () => {
    const generated = Object.keys(SECRETS_FILE.secrets);
    for (const [name, { environment = {} }] of Object.entries(COMPOSE.services)) {
      const own = Object.keys(environment).filter((variable) => generated.includes(variable));
      const { secrets = [], environment: replaced = {} } = SECRETS_FILE.services[name] ?? {};
      expect([name, [...secrets].sort()]).toEqual([name, own.sort()]);
      for (const variable of own)
        expect([replaced[variable], replaced[`${variable}_FILE`]]).toEqual(['', `/run/secrets/${variable}`]);
    }
    expect(mounted.flatMap(([, { secrets = [] }]) => secrets).every((name) => generated.includes(name))).toBe(true);
    for (const [name, { file }] of Object.entries(SECRETS_FILE.secrets)) expect(file).toMatch(new RegExp(`/${name}$`));
  });

  it('give workers the address of Redis only', () => {
    for (const name of ['worker', 'worker-videos']) expect(SECRETS_FILE.services[name]?.secrets).toEqual(['REDIS_URL']);
  });
});
