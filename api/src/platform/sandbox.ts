import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';
import { AppError } from './errors/app-error.js';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  SANDBOX_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
});

/** @returns address of the sandbox; null in production and without one */
export function sandboxUrlIn(environment: Environment): string | null {
  const { CLEARFRAME_ENV, SANDBOX_URL } = readEnvironment(schema, environment);
  return CLEARFRAME_ENV === 'production' ? null : (SANDBOX_URL ?? null);
}

export async function fetchSandbox(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new AppError('service.unavailable', { retryAfterSeconds: 1, cause });
  }
}
