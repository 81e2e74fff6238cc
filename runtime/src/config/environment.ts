import { z } from 'zod';

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The message starts with the name of the variable. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError';
}

/** A service is used that no variable configures (spec 1, section 5). */
export class NotConfiguredError extends ConfigurationError {
  override readonly name = 'NotConfiguredError';

  constructor(service: string) {
    super(`trying to use ${service}, but this service has not been configured`);
  }
}

/**
 * Empty strings count as absent.
 * @throws ConfigurationError for the first rejected variable
 */
export function readEnvironment<Shape extends z.ZodObject>(schema: Shape, environment: Environment): z.infer<Shape> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const variable = String(issue?.path[0] ?? 'environment');
  throw new ConfigurationError(`${variable}: ${issue?.message ?? 'is not valid'}`);
}

/** Both bounds included. */
export const wholeNumber = (lowest: number, highest: number) =>
  z.coerce
    .number({ error: 'is not a number' })
    .int({ error: 'is not a whole number' })
    .min(lowest, { error: `must be at least ${lowest}` })
    .max(highest, { error: `must be at most ${highest}` });

/** At least 1. */
export const count = (defaultValue: number) => wholeNumber(1, Number.MAX_SAFE_INTEGER).default(defaultValue);

/** 0 lets the system choose. */
export const port = (defaultValue: number) => wholeNumber(0, 65_535).default(defaultValue);

/** At least 32 characters. */
export const secret = () => z.string({ error: 'is missing' }).min(32, { error: 'needs at least 32 characters' });
