import { z } from 'zod';

/**
 * An email address as pages and API accept it: word characters, '@', dotted domain labels, a top-level part of 2 to 63
 * letters (spec 1, section 6; decisions, section 6). Spaces around it are removed.
 */
export const EmailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,63}$/i, {
    error: 'Please enter a valid email address',
  });
