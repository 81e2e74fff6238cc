import { fromWire, OPERATIONS, pathOf, type RouteSpec } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { describeApi, describeInternalApi } from './document.js';

type Json = Readonly<Record<string, unknown>>;

const DOCUMENTS = [describeApi, describeInternalApi].map((make) => make('https://clearframe.example'));
const ROUTES = Object.entries(OPERATIONS);

const isJson = (node: unknown): node is Json => typeof node === 'object' && node !== null;
const member = (node: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isJson(value) ? value[name] : undefined), node);

function documented(route: RouteSpec): { operation: unknown; components: unknown } {
  const path = pathOf(route).replace(/:(\w+)/g, '{$1}');
  for (const { paths, components } of DOCUMENTS) {
    const operation = member(paths, path, route.method.toLowerCase());
    if (operation) return { operation, components };
  }
  throw new Error(`undocumented: ${route.path}`);
}

const resolved = (reference: unknown, document: unknown): unknown =>
  member(document, ...String(reference).replace('#/', '').split('/'));

/** Properties and parameters below a node, with their paths. */
function* fieldsIn(node: unknown, path: string): Generator<readonly [string, unknown]> {
  if (!isJson(node)) return;
  if (isJson(node.properties)) {
    for (const [name, property] of Object.entries(node.properties)) yield [`${path}/${name}`, property] as const;
  }
  if (typeof node.in === 'string' && typeof node.name === 'string') yield [`${path}/${node.name}`, node] as const;
  for (const [name, inner] of Object.entries(node)) {
    if (name !== 'example' && name !== 'examples') yield* fieldsIn(inner, `${path}/${name}`);
  }
}

function exampleOf(content: unknown, components: unknown): unknown {
  const reference = member(content, 'examples', 'example', '$ref');
  return reference ? member(resolved(reference, { components }), 'value') : member(content, 'example');
}

describe('every field', () => {
  it('is described', () => {
    const fields = DOCUMENTS.flatMap((document) =>
      [...fieldsIn(document, '')].map((field) => [document, field] as const),
    );
    const silent = fields.filter(([document, [, field]]) => {
      const of = member(field, 'description') ?? member(resolved(member(field, '$ref'), document), 'description');
      return typeof of !== 'string' || of === '';
    });
    expect(fields.length).toBeGreaterThan(500);
    expect(silent.map(([, [path]]) => path)).toEqual([]);
  });

  it('has a name of its own if it is a schema', () => {
    const names = DOCUMENTS.flatMap(({ components }) => Object.keys(Object(components?.schemas)));
    expect(names.filter((name) => name.startsWith('__'))).toEqual([]);
  });
});

describe.each(ROUTES)('%s', (_name, route) => {
  const { operation, components } = documented(route);

  it('has a summary and a description', () => {
    expect(member(operation, 'summary')).toMatch(/^[A-Z].{3,59}[^.]$/);
    expect(member(operation, 'description')).toMatch(/^[A-Z].+\.$/s);
  });

  it('has examples that the route accepts and answers', () => {
    if (route.uploadJson) {
      const example = exampleOf(member(operation, 'requestBody', 'content', 'application/json'), components);
      expect(route.uploadJson.safeParse(fromWire(route.uploadJson, example)).error).toBeUndefined();
    }
    if (route.body) {
      const example = exampleOf(member(operation, 'requestBody', 'content', 'application/json'), components);
      expect(example).toBeDefined();
      expect(route.body.safeParse(fromWire(route.body, example)).error).toBeUndefined();
    }
    for (const [status, schema] of Object.entries(route.responses)) {
      if (!schema) continue;
      const example = exampleOf(member(operation, 'responses', status, 'content', 'application/json'), components);
      expect(example).toBeDefined();
      expect(schema.safeParse(fromWire(schema, example)).error).toBeUndefined();
    }
  });

  it('names the headers of its responses', () => {
    const headers = (status: string | number) =>
      Object.keys(Object(member(operation, 'responses', String(status), 'headers')));
    for (const status of Object.keys(route.responses)) {
      const expected = ['X-Request-Id', ...(route.limit ? ['RateLimit', 'RateLimit-Policy'] : [])];
      expect(headers(status)).toEqual(expect.arrayContaining(expected));
      expect(headers(status).includes('Idempotency-Replayed')).toBe(route.idempotent === true);
    }
    expect(headers(503)).toContain('Retry-After');
  });
});
