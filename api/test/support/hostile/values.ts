import type { JsonSchema, OpenApi } from './documentation.js';

type Schemas = OpenApi['components']['schemas'];
type Path = readonly (string | number)[];

/** A schema may accept these, and a database, file system or log may not. */
const ACCEPTABLE_TEXTS: readonly unknown[] = ['\u202e\ufeff', '../../etc/passwd', '__proto__', '0000-01-01T00:00:00Z'];
const ACCEPTABLE_NUMBERS: readonly unknown[] = [0, 1e308, Number.MAX_SAFE_INTEGER + 1];
const ODD_TEXTS: readonly unknown[] = ['', ' ', 'x'.repeat(100_000), 'a\0b', '\ud800'];
const ODD_SHAPES: readonly unknown[] = [null, -1, 1.5, [], [[]], [null], {}, { length: -1, toString: 1 }];
const ALL = [...ACCEPTABLE_TEXTS, ...ACCEPTABLE_NUMBERS, ...ODD_TEXTS, ...ODD_SHAPES];

/** In place of a parameter of the path or the query, percent-encoded. */
export const HOSTILE_PARAMETERS: readonly string[] = [
  '',
  '%00',
  '%ff',
  '%ED%A0%80',
  '..%2f..',
  '__proto__',
  '-1',
  'NaN',
];

const SAMPLES: Readonly<Record<string, unknown>> = {
  'date-time': '2026-01-01T00:00:00.000Z',
  uuid: '11111111-1111-4111-8111-111111111111',
  email: 'reader@example.com',
  sha256: 'a'.repeat(64),
  price_id: 'sbx_price_personal_weekly_usd',
};

/** Where a schema has values, and what type they are of; components are walked once for all schemas. */
interface Leaf {
  readonly path: Path;
  readonly type: string | undefined;
}

/** Makes bodies from the schemas of the documentation. */
export class HostileBodies {
  private readonly walked = new Set<string>();

  constructor(private readonly schemas: Schemas) {}

  /** A valid body, as far as its schema says, in which every property occurs. */
  sampleOf(schema: JsonSchema, name = ''): unknown {
    const { anyOf, oneOf, allOf, type, format } = schema;
    if (schema.$ref) return this.sampleOf(this.resolve(schema.$ref), name);
    const [choice] = anyOf ?? oneOf ?? [];
    if (choice) return this.sampleOf(choice, name);
    if (allOf) return Object.assign({}, ...allOf.map((part) => this.sampleOf(part, name)));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    switch (type) {
      case 'object': {
        const properties = Object.entries(schema.properties ?? {});
        return Object.fromEntries(properties.map(([key, property]) => [key, this.sampleOf(property, key)]));
      }
      case 'array':
        return [this.sampleOf(schema.items ?? {}, name)];
      case 'string':
        return SAMPLES[format ?? name] ?? SAMPLES[name] ?? 'a'.repeat(schema.minLength ?? 1);
      case 'boolean':
        return false;
      case undefined:
        return {};
      default:
        return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    }
  }

  /**
   * All values of a body replaced with each hostile value; then each value replaced with those of its own type, which its
   * schema may accept; then no body at all.
   */
  *of(schema: JsonSchema): Generator<unknown> {
    const sample = this.sampleOf(schema);
    const paths = [...leavesIn(sample)];
    for (const value of ALL) yield paths.reduce((body, path) => replaced(body, path, value), sample);
    for (const { path, type } of this.leavesOf(schema)) {
      const isNumber = type === 'integer' || type === 'number';
      const values = type === 'string' ? ACCEPTABLE_TEXTS : isNumber ? ACCEPTABLE_NUMBERS : [];
      for (const value of values) yield replaced(sample, path, value);
    }
    yield* ODD_SHAPES;
  }

  private *leavesOf(schema: JsonSchema, path: Path = []): Generator<Leaf> {
    if (schema.$ref) {
      if (this.walked.has(schema.$ref)) return;
      this.walked.add(schema.$ref);
      yield* this.leavesOf(this.resolve(schema.$ref), path);
      return;
    }
    const [choice] = schema.anyOf ?? schema.oneOf ?? [];
    if (choice) yield* this.leavesOf(choice, path);
    else if (schema.items) yield* this.leavesOf(schema.items, [...path, 0]);
    else if (schema.properties) {
      for (const [key, property] of Object.entries(schema.properties)) yield* this.leavesOf(property, [...path, key]);
    } else yield { path, type: schema.enum || schema.const !== undefined ? 'enum' : schema.type };
  }

  private resolve(reference: string): JsonSchema {
    return this.schemas[reference.split('/').at(-1) ?? ''] ?? {};
  }
}

function* leavesIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) yield path;
  else {
    for (const [key, inner] of Object.entries(value)) yield* leavesIn(inner, [...path, Array.isArray(value) ? 0 : key]);
  }
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item));
  const object = Object(value) as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, by) };
}
