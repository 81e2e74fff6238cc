const UNIQUE_VIOLATION = '23505';

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { driverError } = error as { driverError?: { code?: unknown; constraint?: unknown } };
  return driverError?.code === UNIQUE_VIOLATION && driverError.constraint === constraint;
}
