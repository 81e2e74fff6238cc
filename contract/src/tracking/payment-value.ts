/**
 * Value in USD that advertising is told for each payment (spec 1, section 9). In a module of its own: pages that need it
 * load no schemas.
 */
export const AD_PAYMENT_VALUE = 9.99;
