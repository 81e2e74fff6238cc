import type { z } from 'zod';

/**
 * Converts names: camelCase in TypeScript, snake_case on the wire. Keys of a `z.record` are data (upload headers, event
 * data) and stay unchanged.
 */
type Schema = z.core.$ZodType;
type Json = Record<string, unknown>;

/** `bulkUploadId` → `bulk_upload_id`; digits stay joined (`sha256`). */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Parsed queries have no prototype, so that a parameter can't be mistaken for one of its members. */
const PLAIN_PROTOTYPES: readonly unknown[] = [Object.prototype, null];

const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && PLAIN_PROTOTYPES.includes(Object.getPrototypeOf(value));

function unwrap(schema: Schema): Schema {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return unwrap(def.innerType);
    case 'lazy':
      return unwrap(def.getter());
    case 'pipe':
      return unwrap(def.in);
    default:
      return schema;
  }
}

type Direction = 'toWire' | 'fromWire';

function convertObject(
  shape: Readonly<Record<string, Schema>>,
  keepsUnknown: boolean,
  value: Json,
  direction: Direction,
) {
  const result: Json = {};
  const known = new Set<string>();
  for (const [name, member] of Object.entries(shape)) {
    const [source, target] = direction === 'toWire' ? [name, snakeCase(name)] : [snakeCase(name), name];
    known.add(source);
    if (Object.hasOwn(value, source)) result[target] = convert(member, value[source], direction);
  }
  if (keepsUnknown) {
    // camelCase names are unknown on the wire: `faceEnhance` must not pass for `face_enhance`.
    for (const key of Object.keys(value))
      if (!known.has(key)) result[Object.hasOwn(shape, key) ? snakeCase(key) : key] = value[key];
  }
  return result;
}

function convert(schema: Schema, value: unknown, direction: Direction): unknown {
  const def = (unwrap(schema) as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case 'object':
      // A strict object must see the keys that it rejects.
      return isJsonObject(value) ? convertObject(def.shape, def.catchall !== undefined, value, direction) : value;
    case 'array':
      return Array.isArray(value) ? value.map((item) => convert(def.element, item, direction)) : value;
    case 'record':
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(def.valueType, item, direction)]))
        : value;
    case 'union': {
      // Union members are distinguished by their keys, without parsing.
      if (!isJsonObject(value)) return value;
      const fits = def.options.map(unwrap).find((option) => namesFit(option, value, direction));
      return fits ? convert(fits, value, direction) : value;
    }
    default:
      return value;
  }
}

function namesFit(option: Schema, value: Json, direction: Direction): boolean {
  const def = (option as z.core.$ZodTypes)._zod.def;
  if (def.type !== 'object') return def.type === 'record';
  return Object.entries(def.shape).every(([name, member]) => {
    const key = direction === 'toWire' ? name : snakeCase(name);
    if (!Object.hasOwn(value, key)) return (member as z.core.$ZodTypes)._zod.optin === 'optional';
    const memberDef = (unwrap(member) as z.core.$ZodTypes)._zod.def;
    return memberDef.type !== 'literal' || memberDef.values.includes(value[key] as never);
  });
}

/** camelCase value → snake_case JSON. Names that the schema lacks are dropped. */
export const toWire = (schema: Schema, value: unknown): unknown => convert(schema, value, 'toWire');

/**
 * snake_case JSON → camelCase value, not validated. Names that the schema lacks are dropped; a strict object keeps them
 * to reject them.
 */
export const fromWire = (schema: Schema, json: unknown): unknown => convert(schema, json, 'fromWire');

/** Wire path of a validation issue: `inputTaskList.0.imageContentType` → `input_task_list.0.image_content_type`. */
export const wirePath = (path: readonly PropertyKey[]): string => path.map((part) => snakeCase(String(part))).join('.');
