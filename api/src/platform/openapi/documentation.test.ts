import { accessTo, pathOf, ROUTES, type RouteSpec } from '@clearframe/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { documentationOf, type OpenApi } from '../../../test/support/hostile/documentation.js';
import { runCommand } from '../../ops/run-command.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** Routes outside the contract: for operators, files, webhooks, pages, documentation. */
const UNDOCUMENTED = [
  /^\/healthz$/,
  /^\/readyz$/,
  /^\/metrics$/,
  /^\/media\/\*$/,
  /^\/media\/uploads\/:taskId$/,
  /^\/media\/resumable\/:taskId$/,
  /^\/api\/sandbox\/.+$/,
  /^\/api\/webhooks\/:sender$/,
  /^\/api\/(internal\/)?openapi\.(json|yaml)$/,
  /^\/api\/docs(\/.*)?$/,
  // Pages of bull-board; queue-board.test.ts checks their access.
  /^\/ops\/queues(\/.*)?$/,
];

const nameOf = (route: RouteSpec): string => `${route.method} ${pathOf(route)}`;
const TABLE = ROUTES.map(nameOf).sort();
const DOCUMENTS = ['/api/openapi.json', '/api/internal/openapi.json'];

const operationsIn = ({ paths }: Pick<OpenApi, 'paths'>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    })),
  );

function routes(): string[] {
  const tree = api.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: true });
  const found: string[] = [];
  const above: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent = '', text = ''] = /^((?:[│ ] {3})*)[├└]── (.*)$/.exec(line) ?? [];
    if (!text) continue;
    const [, part = '', methods = ''] = /^(.*?)(?: \(([A-Z, ]+)\))?$/.exec(text) ?? [];
    above.length = indent.length / 4;
    above.push(part);
    for (const method of methods.split(', ').filter(Boolean)) found.push(`${method} ${above.join('')}`);
  }
  return found.filter((route) => !route.startsWith('HEAD '));
}

describe('the documentation', () => {
  it('contains every served route, and no other', () => {
    const served = routes().filter((route) => !UNDOCUMENTED.some((path) => path.test(route.split(' ')[1] ?? '')));
    expect(served.sort()).toEqual(TABLE);
  });

  it.each(DOCUMENTS)('is valid OpenAPI 3.1: %s', async (path) => {
    const { body } = await api.http.get(path).expect(200);
    const validator = new Validator();
    expect(await validator.validate(body)).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(body.servers).toEqual([{ url: api.url }]);
  });

  it('is what a key reaches, and the rest apart', async () => {
    const [forKeys = [], internal = []] = await Promise.all(
      DOCUMENTS.map(async (path) => operationsIn((await api.http.get(path).expect(200)).body)),
    );
    const reached = ROUTES.filter((route) => accessTo(route).keyScope !== null);
    expect(forKeys.map(({ route }) => route).sort()).toEqual(reached.map(nameOf).sort());
    expect([...forKeys, ...internal].map(({ route }) => route).sort()).toEqual(TABLE);
  });

  it('has the limits of this server, and names that of each operation', async () => {
    const { body } = await api.http.get('/api/openapi.json').expect(200);
    expect(body['x-limits'].rates.writes).toEqual({ requests: 10_000, seconds: 60 });
    const named = operationsIn(body).flatMap(({ operation }) => operation['x-rate-limit'] ?? []);
    expect([...new Set(named)].sort()).toEqual(Object.keys(body['x-limits'].rates).sort());
  });

  it('names each operation once', async () => {
    const { paths } = await documentationOf(api);
    const ids = operationsIn({ paths }).map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(TABLE.length);
    expect(ids).toEqual(expect.arrayContaining(['createEnhancement', 'getTask', 'listTasks', 'reprocessTasks']));
  });

  it('is printed for generators without a database', async () => {
    const { body } = await api.http.get('/api/internal/openapi.json').expect(200);
    const printed = await runCommand(['openapi', 'print', '--internal'], api.environment);
    expect(JSON.parse(printed)).toEqual(body);
  });

  it.each(DOCUMENTS)('uses wire names: %s', async (path) => {
    const { body } = await api.http.get(path).expect(200);
    const names: string[] = [];
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties, required } = node as { properties?: object; required?: unknown };
      if (properties && typeof properties === 'object') names.push(...Object.keys(properties));
      if (Array.isArray(required)) names.push(...required.map(String));
      for (const member of Object.values(node)) collect(member);
    };
    collect(body.components.schemas);
    collect(body.paths);
    expect(names).toContain('created_at');
    expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });

  it.each(DOCUMENTS)('has no dangling references: %s', async (path) => {
    const { body, text } = await api.http.get(path).expect(200);
    const references = [...text.matchAll(/"\$ref":\s*"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '');
    expect(references.length).toBeGreaterThan(0);
    for (const name of references) expect(body.components.schemas).toHaveProperty(name);
  });

  it('has a page for browsers', async () => {
    const { headers } = await api.http.get('/api/docs').expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
  });

  it('serves the files of the page', async () => {
    const { text } = await api.http.get('/api/docs').expect(200);
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toHaveLength(6);
    for (const file of files) await api.http.get(file).expect(200);
  });

  it('is the same in YAML', async () => {
    const json = await api.http.get('/api/openapi.json').expect(200);
    const yaml = await api.http.get('/api/openapi.yaml').expect(200);
    expect(parse(yaml.text)).toEqual(json.body);
  });
});
