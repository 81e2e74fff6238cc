import { z } from 'zod';

/** Leaves other texts to the schema. */
function inUtc(text: string): string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString();
}

/** A time of a client in ISO 8601, with any offset; read as UTC. Years 1 to 9999, which PostgreSQL stores. */
export const ClientTime = z.iso
  .datetime({ offset: true })
  .overwrite(inUtc)
  .regex(/^(?!0000)\d{4}-/);
