import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { fromWire, snakeCase } from '../http/case.js';
import { ROUTES } from './routes.js';

type Schema = z.core.$ZodTypes;

function innerOf(schema: Schema): readonly Schema[] {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return Object.values(def.shape) as Schema[];
    case 'array':
      return [def.element as Schema];
    case 'union':
      return def.options as Schema[];
    case 'pipe':
      return [def.in as Schema];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return [def.innerType as Schema];
    default:
      return [];
  }
}

function* objectsIn(schema: Schema): Generator<z.ZodObject> {
  if (schema._zod.def.type === 'object') yield schema as unknown as z.ZodObject;
  for (const inner of innerOf(schema)) yield* objectsIn(inner);
}

const BODIES = ROUTES.flatMap(({ method, path, body }) =>
  body ? [[`${method} ${path}`, body as unknown as Schema] as const] : [],
);

describe('null is read as absent in', () => {
  it.each(BODIES)('%s', (_name, body) => {
    const refused: string[] = [];
    for (const object of objectsIn(body)) {
      for (const [name, member] of Object.entries<z.ZodType>(object.shape)) {
        if (!member.safeParse(undefined).success) continue;
        const read = fromWire(object, { [snakeCase(name)]: null }) as Readonly<Record<string, unknown>>;
        if (!member.safeParse(read[name]).success) refused.push(name);
      }
    }
    expect(refused).toEqual([]);
  });
});
