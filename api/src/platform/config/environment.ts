import { z } from 'zod';

/** The environment as the operating system gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that nobody can start with. The message names the variable, so that an operator can mend it alone. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Reads one concern's variables; the first bad one stops the boot. Empty strings count as absent. */
export function readEnvironment<Shape extends z.ZodObject>(schema: Shape, environment: Environment): z.infer<Shape> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const variable = issue?.path.join('.') ?? 'environment';
  throw new ConfigurationError(`${variable}: ${issue?.message ?? 'is not acceptable'}`);
}

/** A TCP port. */
export const port = (standard: number) => z.coerce.number().int().min(0).max(65_535).default(standard);

/** A secret of at least 32 characters; without one nothing starts. */
export const secret = () => z.string({ error: 'is missing' }).min(32, { error: 'needs at least 32 characters' });

/** A positive whole number with a standard value. */
export const count = (standard: number) => z.coerce.number().int().positive().default(standard);
