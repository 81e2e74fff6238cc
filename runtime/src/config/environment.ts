import { z } from 'zod';

/** A process's environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An unusable setting. The message starts with the name of the variable. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError';
}

/** A service was used that is not configured. */
export class NotConfiguredError extends ConfigurationError {
  override readonly name = 'NotConfiguredError';

  /** @param service its name in the message */
  constructor(service: string) {
    super(`trying to use ${service}, but this service has not been configured`);
  }
}

/**
 * Reads the variables of one schema. Empty strings count as absent.
 * @throws ConfigurationError for the first variable that the schema rejects
 */
export function readEnvironment<Shape extends z.ZodObject>(schema: Shape, environment: Environment): z.infer<Shape> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const variable = String(issue?.path[0] ?? 'environment');
  throw new ConfigurationError(`${variable}: ${issue?.message ?? 'is not valid'}`);
}

/** A whole number between two bounds, both included. */
export const wholeNumber = (lowest: number, highest: number) =>
  z.coerce
    .number({ error: 'is not a number' })
    .int({ error: 'is not a whole number' })
    .min(lowest, { error: `must be at least ${lowest}` })
    .max(highest, { error: `must be at most ${highest}` });

/** A positive whole number with a default. */
export const count = (standard: number) => wholeNumber(1, Number.MAX_SAFE_INTEGER).default(standard);

/** A TCP port with a default; 0 lets the system choose. */
export const port = (standard: number) => wholeNumber(0, 65_535).default(standard);

/** A required secret of at least 32 characters. */
export const secret = () => z.string({ error: 'is missing' }).min(32, { error: 'needs at least 32 characters' });
