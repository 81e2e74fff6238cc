import { Column } from 'typeorm';
import type { z } from 'zod';

/**
 * A JSONB column that is parsed when it is read. Rows have no version of their own: a field that a later version adds is
 * optional in the schema, and one that it drops is ignored.
 * @throws Error for a row that no version has written
 */
export function JsonColumn(schema: z.ZodType, options: { readonly nullable?: boolean } = {}): PropertyDecorator {
  return (target, property) => {
    const from = (value: unknown): unknown => {
      if (value === null || value === undefined) return value;
      const { data, error } = schema.safeParse(value);
      if (error) throw new Error(`${target.constructor.name}.${String(property)} can't be read`, { cause: error });
      return data;
    };
    Column('jsonb', { ...options, transformer: { to: (value: unknown) => value, from } })(target, property);
  };
}
