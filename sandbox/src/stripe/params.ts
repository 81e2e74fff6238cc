import { CURRENCIES } from '@clearframe/contract';
import { z } from 'zod';
import { invalidRequest, StripeError } from './errors.js';

interface FormTree {
  [name: string]: FormValue;
}
type FormValue = string | FormValue[] | FormTree;

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const SEGMENT = /\[([^[\]]*)\]/g;
/** What a client sends for a value that it failed to serialize. */
const SERIALIZATION_BUGS = new Set(['undefined', 'NaN', '[object Object]', 'null']);

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('parameter_invalid_encoding', `Invalid percent-encoding in request: ${text}`);
  }
};

/**
 * Parses nested form parameters (`items[0][price]=…`). Hashes whose keys count from 0 are arrays.
 * @throws StripeError for malformed, repeated or conflicting names
 */
export function parseForm(body: string): FormTree {
  const root: FormTree = Object.create(null);
  for (const pair of body.split('&').filter(Boolean)) {
    const [name = '', ...value] = pair.split('=');
    assign(root, decode(name), decode(value.join('=')));
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, withArrays(value)]));
}

function assign(root: FormTree, name: string, value: string): void {
  const [, first, rest = ''] = NAME.exec(name) ?? [];
  if (first === undefined) throw unknownParameter(name);
  if (SERIALIZATION_BUGS.has(value))
    throw invalidRequest('parameter_invalid', `Invalid value for ${name}: ${value}`, name);
  const path = [first, ...[...rest.matchAll(SEGMENT)].map(([, segment = '']) => segment)];
  if (path.includes('__proto__')) throw unknownParameter(name);
  const last = path.pop() ?? '';
  let level = root;
  for (const segment of path) {
    const key = segment === '' ? String(Object.keys(level).length) : segment;
    level[key] ??= Object.create(null) as FormTree;
    const next = level[key];
    if (typeof next !== 'object' || Array.isArray(next)) {
      throw invalidRequest('parameter_invalid', `Invalid hash: ${name}`, name);
    }
    level = next;
  }
  const key = last === '' ? String(Object.keys(level).length) : last;
  if (key in level) throw invalidRequest('parameter_duplicated', `Received a parameter twice: ${name}`, name);
  level[key] = value;
}

const unknownParameter = (name: string) =>
  invalidRequest('parameter_unknown', `Received unknown parameter: ${name}`, name);

function withArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, withArrays(part)] as const);
  const isArray = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isArray ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

const MAX_METADATA_KEYS = 50;

/** A number, sent as text. */
export const integer = (minimum = Number.MIN_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'parameter_invalid_integer' })
    .transform(Number)
    .refine((value) => value >= minimum, { error: 'parameter_invalid_integer' });

export const flag = z
  .enum(['true', 'false'], { error: 'parameter_invalid_boolean' })
  .transform((value) => value === 'true');

export const text = z.string().min(1, { error: 'parameter_invalid_empty' }).max(5_000);

export const currency = z.string().toLowerCase().pipe(z.enum(CURRENCIES));

export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((keys) => Object.keys(keys).length <= MAX_METADATA_KEYS);

export const webUrl = z.url({ protocol: /^https?$/, error: 'url_invalid' });

/** Paths of objects to include in the response. */
const expand = z.array(text).max(20).optional();

/** Unknown parameters are rejected. */
export const parameters = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...shape, expand });

export const listParameters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  parameters({
    ...shape,
    limit: integer(1)
      .refine((limit) => limit <= 100, { error: 'parameter_invalid_integer' })
      .default(10),
    starting_after: text.optional(),
  });

const nameOf = ([first, ...rest]: readonly PropertyKey[]): string =>
  [String(first ?? ''), ...rest.map((segment) => `[${String(segment)}]`)].join('');

const valueAt = (tree: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    tree,
  );

/** @throws StripeError for the first parameter that doesn't match */
export function readParameters<Schema extends z.ZodType>(schema: Schema, tree: FormTree): z.output<Schema> {
  const result = schema.safeParse(tree);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? errorOf(issue, tree) : invalidRequest('parameter_invalid', 'Invalid request.');
}

function errorOf(issue: z.core.$ZodIssue, tree: FormTree): StripeError {
  const name = nameOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = nameOf([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest('parameter_unknown', `Received unknown parameter: ${unknown}`, unknown);
  }
  const value = valueAt(tree, issue.path);
  if (value === undefined) return invalidRequest('parameter_missing', `Missing required param: ${name}.`, name);
  if (value === '') {
    const message = `You passed an empty string for '${name}'. You should remove '${name}' from your request or supply a non-empty value.`;
    return invalidRequest('parameter_invalid_empty', message, name);
  }
  if (issue.code === 'invalid_value' && !issue.message.startsWith('parameter_')) {
    return invalidRequest('parameter_invalid', `Invalid ${name}: must be one of ${issue.values.join(', ')}`, name);
  }
  const code = /^(parameter|url)_\w+$/.test(issue.message) ? issue.message : 'parameter_invalid';
  return invalidRequest(code, `Invalid value for ${name}: ${String(value)}`, name);
}
