import { afterAll, beforeAll, describe } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { FEW_PICTURES, type Product, startProduct } from '../support/product/product.ts';
import { STAFF_PASSWORD, testSecretMenu } from './account/secret-menu.ts';
import { testFlags } from './payments/offers/flags.ts';
import { testPaymentForms } from './payments/payment-forms.ts';

const browser = useBrowser();
/** Flags and experiments are the same for all visitors of a product. Starting one takes 7 s of a processor. */
let product: Product;
beforeAll(async () => {
  product = await startProduct({ ...FEW_PICTURES, CLEARFRAME_STAFF_PASSWORD: STAFF_PASSWORD });
});
afterAll(() => product?.stop());

// Flags last, since they change the pages of the others.
describe('payment forms', () => testPaymentForms(() => product, browser));
describe('experiments', () => testSecretMenu(() => product, browser));
describe('flags', () => testFlags(() => product, browser));
