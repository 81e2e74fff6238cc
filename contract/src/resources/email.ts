import { z } from 'zod';

/**
 * Word characters, '@', dotted domain labels, a top-level part of 2 to 63 letters (spec 1, section 6; decisions,
 * section 6). Surrounding spaces are removed.
 */
export const EmailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,63}$/i, {
    error: 'Please enter a valid email address',
  })
  .meta({ examples: ['ada@example.com'] });
