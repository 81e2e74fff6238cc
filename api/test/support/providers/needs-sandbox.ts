import { TestRunner } from 'vitest';

/** Conformance servers play the providers: paths of their scripts. See `docs/conformance.md`. */
export const CONFORMANCE_SCRIPTS =
  process.env.STRIPE_CONFORMANCE && process.env.PAYPAL_CONFORMANCE
    ? { stripe: process.env.STRIPE_CONFORMANCE, paypal: process.env.PAYPAL_CONFORMANCE }
    : null;

/** Skips the running test with conformance servers, if they play the providers. */
export function requiresSandbox(faculty: string): void {
  if (CONFORMANCE_SCRIPTS) needsSandbox(faculty);
}

/**
 * Skips the running test with conformance servers, which lack a faculty of the sandbox.
 * @throws Error outside a test
 */
export function needsSandbox(faculty: string): never {
  const test = TestRunner.getCurrentTest();
  if (test?.type === 'test') test.context.skip(`needs ${faculty}`);
  throw new Error(`conformance servers lack ${faculty}`);
}
