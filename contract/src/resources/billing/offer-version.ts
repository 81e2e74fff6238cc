import { z } from 'zod';

/**
 * `version` of the page's address: `ip` forces the intro price, `ft` the free trial, anything else changes nothing. A
 * payment carries it so that `api` applies the same flags as the page.
 */
export const OfferVersion = z.string().max(200).nullish();
