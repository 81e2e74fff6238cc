import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  SANDBOX_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
});

/** @returns address of the sandbox; null in production and without one */
export function sandboxUrlIn(environment: Environment): string | null {
  const { CLEARFRAME_ENV, SANDBOX_URL } = readEnvironment(schema, environment);
  return CLEARFRAME_ENV === 'production' ? null : (SANDBOX_URL ?? null);
}
