import { pathOf, ROUTES } from '@clearframe/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startApi, type TestApi } from '../../../test/support/application.js';

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
  /^\/api\/openapi\.(json|yaml)$/,
  /^\/api\/docs(\/.*)?$/,
  // Pages of bull-board; queue-board.test.ts checks their access.
  /^\/ops\/queues(\/.*)?$/,
];

const TABLE = ROUTES.map((route) => `${route.method} ${pathOf(route)}`).sort();

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

  it('is a valid OpenAPI 3.1 document of the contract', async () => {
    const { body } = await api.http.get('/api/openapi.json').expect(200);
    const validator = new Validator();
    expect(await validator.validate(body)).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(body.servers).toEqual([{ url: api.url }]);
    const documented = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(documented.sort()).toEqual(TABLE);
  });

  it('uses wire names', async () => {
    const { body } = await api.http.get('/api/openapi.json').expect(200);
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
    expect(names).toContain('image_content_type');
    expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });

  it('has no dangling references', async () => {
    const { body, text } = await api.http.get('/api/openapi.json').expect(200);
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
    expect(files).toHaveLength(5);
    for (const file of files) await api.http.get(file).expect(200);
  });

  it('is the same in YAML', async () => {
    const json = await api.http.get('/api/openapi.json').expect(200);
    const yaml = await api.http.get('/api/openapi.yaml').expect(200);
    expect(parse(yaml.text)).toEqual(json.body);
  });
});
