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
  throw new ConfigurationError(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** A whole number between two bounds, both included. */
export const wholeNumber = (lowest: number, highest: number) =>
  z.coerce
    .number({ error: 'is not a number' })
    .int({ error: 'is not a whole number' })
    .min(lowest, { error: `must be at least ${lowest}` })
    .max(highest, { error: `must be at most ${highest}` });
