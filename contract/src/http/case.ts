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

function acceptsNull(schema: Schema): boolean {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case 'nullable':
    case 'null':
    case 'any':
    case 'unknown':
      return true;
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return acceptsNull(def.innerType);
    case 'lazy':
      return acceptsNull(def.getter());
    case 'pipe':
      return acceptsNull(def.in);
    case 'union':
      return def.options.some(acceptsNull);
    case 'literal':
      return def.values.includes(null);
    default:
      return false;
  }
}

const mayBeAbsent = (schema: Schema): boolean => (schema as z.core.$ZodTypes)._zod.optin !== undefined;

/** On the wire an absent value is null (decisions, section 1), also where the schema knows only absence. */
const isAbsent = (schema: Schema, value: unknown): boolean =>
  value === null && mayBeAbsent(schema) && !acceptsNull(schema);

interface Member {
  readonly name: string;
  readonly wireName: string;
  readonly schema: Schema;
}

type Shape = Readonly<Record<string, Schema>>;
const MEMBERS = new WeakMap<Shape, readonly Member[]>();

/** Converted once for each schema: a status call has 200 names. */
function membersOf(shape: Shape): readonly Member[] {
  const known = MEMBERS.get(shape);
  if (known) return known;
  const members = Object.entries(shape).map(([name, schema]) => ({ name, wireName: snakeCase(name), schema }));
  MEMBERS.set(shape, members);
  return members;
}

function convertObject(shape: Shape, keepsUnknown: boolean, value: Json, direction: Direction) {
  const result: Json = {};
  const members = membersOf(shape);
  for (const { name, wireName, schema } of members) {
    const [source, target] = direction === 'toWire' ? [name, wireName] : [wireName, name];
    if (!Object.hasOwn(value, source)) continue;
    if (direction === 'fromWire' && isAbsent(schema, value[source])) continue;
    result[target] = convert(schema, value[source], direction);
  }
  if (keepsUnknown) {
    const known = new Set(members.map(({ name, wireName }) => (direction === 'toWire' ? name : wireName)));
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
      return fits
        ? convert(fits, direction === 'fromWire' ? withoutForeignNulls(fits, value) : value, direction)
        : value;
    }
    default:
      return value;
  }
}

function namesFit(option: Schema, value: Json, direction: Direction): boolean {
  const def = (option as z.core.$ZodTypes)._zod.def;
  if (def.type !== 'object') return def.type === 'record';
  return membersOf(def.shape).every(({ name, wireName, schema }) => {
    const key = direction === 'toWire' ? name : wireName;
    if (!Object.hasOwn(value, key) || (value[key] === null && !acceptsNull(schema))) return mayBeAbsent(schema);
    const memberDef = (unwrap(schema) as z.core.$ZodTypes)._zod.def;
    return memberDef.type !== 'literal' || memberDef.values.includes(value[key] as never);
  });
}

/** A client whose type has the members of every option sends null for those of the others. */
function withoutForeignNulls(option: Schema, value: Json): Json {
  const def = (option as z.core.$ZodTypes)._zod.def;
  if (def.type !== 'object') return value;
  const own = new Set(membersOf(def.shape).map(({ wireName }) => wireName));
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => member !== null || own.has(key)));
}

/** camelCase value → snake_case JSON. Names that the schema lacks are dropped. */
export const toWire = (schema: Schema, value: unknown): unknown => convert(schema, value, 'toWire');

/**
 * snake_case JSON → camelCase value, not validated. Names that the schema lacks are dropped; a strict object keeps them
 * to reject them. Null is dropped where the schema takes only absence.
 */
export const fromWire = (schema: Schema, json: unknown): unknown => convert(schema, json, 'fromWire');

/**
 * Wire paths of the members of a request that {@link fromWire} drops because the schema lacks their names. A strict
 * object rejects them itself.
 */
export function unknownNames(schema: Schema, json: unknown, path = ''): string[] {
  const def = (unwrap(schema) as z.core.$ZodTypes)._zod.def;
  const at = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);
  if (def.type === 'array' && Array.isArray(json)) {
    return json.flatMap((item, index) => unknownNames(def.element, item, at(index)));
  }
  if (!isJsonObject(json)) return [];
  if (def.type === 'union') {
    const fits = def.options.map(unwrap).find((option) => namesFit(option, json, 'fromWire'));
    return fits ? unknownNames(fits, withoutForeignNulls(fits, json), path) : [];
  }
  if (def.type === 'record') {
    return Object.entries(json).flatMap(([key, item]) => unknownNames(def.valueType, item, at(key)));
  }
  if (def.type !== 'object') return [];
  const known = new Map(membersOf(def.shape).map((member) => [member.wireName, member.schema]));
  return Object.entries(json).flatMap(([key, item]) => {
    const member = known.get(key);
    if (member) return unknownNames(member, item, at(key));
    return def.catchall === undefined ? [at(key)] : [];
  });
}

/** Wire path of a validation issue: `inputTaskList.0.imageContentType` → `input_task_list.0.image_content_type`. */
export const wirePath = (path: readonly PropertyKey[]): string => path.map((part) => snakeCase(String(part))).join('.');
