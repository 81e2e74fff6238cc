import { type Environment, readEnvironment, Settings } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  SELLER_NAME: z.string().default('Clearframe'),
  SELLER_ADDRESS: z.string().default(''),
  SELLER_TAX_ID: z.string().default(''),
  SELLER_TAX_PERCENT: z.literal('').or(z.coerce.number().positive().max(100)).default(''),
});

/** Who sells, as invoices say. */
export const Seller = z.object({
  name: z.string(),
  /** Lines of the postal address. */
  address: z.array(z.string()),
  /** VAT ID; null: none. */
  taxId: z.string().nullable(),
  /** VAT that prices include; null: none is shown. */
  taxPercent: z.number().nullable(),
});
export type Seller = z.infer<typeof Seller>;

export class SellerConfig extends Settings<Seller>() {
  static fromEnvironment(environment: Environment): SellerConfig {
    const env = readEnvironment(schema, environment);
    return new SellerConfig({
      name: env.SELLER_NAME || 'Clearframe',
      address: env.SELLER_ADDRESS.split(/[,\n]/).flatMap((line) => line.trim() || []),
      taxId: env.SELLER_TAX_ID || null,
      taxPercent: env.SELLER_TAX_PERCENT || null,
    });
  }
}
