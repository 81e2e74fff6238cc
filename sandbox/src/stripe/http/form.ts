import { invalidRequest } from '../model/errors.js';

export interface FormTree {
  [name: string]: FormValue;
}
export type FormValue = string | FormValue[] | FormTree;

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
