import { CURRENCIES } from '@clearframe/contract';
import { z } from 'zod';
import { invalidRequest, StripeError } from '../model/errors.js';
import type { FormTree } from './form.js';

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
